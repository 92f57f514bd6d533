"""What PPY says to people: declared codes, diagnostics, the sink that collects them, and the renderers.

Floors above declare nothing of their own: a code is one `Code(...)` in `codes/<family>.py`, holding its message, help,
explanation and examples; `CODE.at(path, span, field=…)` makes a diagnostic; a `Sink` collects; `render.render` prints.
`pages.page` is what `ppy explain CODE` prints and what `docs/diagnostics` is generated from.
"""
