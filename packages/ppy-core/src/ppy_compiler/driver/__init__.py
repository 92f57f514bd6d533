"""What stands between a command and the stages: configuration, the project's modules, the session, reports, faults.

Takes what the command line, the environment and `[tool.ppy]` say; drives frontend, inference, lowering and build for
every module that a program reaches; gives programs, findings and reports. Prints nothing: commands do.
"""

from __future__ import annotations
