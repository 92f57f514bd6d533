"""What a plugin is and which devices it has.

python 02_plugin_and_devices.py [PLUGIN]
"""

import sys

import ppy_pjrt


def main() -> None:
    plugin = ppy_pjrt.Plugin(sys.argv[1] if len(sys.argv) > 1 else "cpu")
    major, minor = plugin.api_version
    print(f"{plugin.path.name}: PJRT {major}.{minor}, StableHLO {plugin.stablehlo_versions}, for {plugin.platform}")
    print("extensions:", ", ".join(item.name for item in plugin.extensions))
    with ppy_pjrt.Client(plugin) as client:
        for device in client.devices:
            kinds = ", ".join(memory.kind for memory in device.memories)
            print(f"  {device!r} {device.kind}: {kinds}; default {device.default_memory.kind}")
        try:
            print("  allocator:", client.devices[0].memory_stats())
        except ppy_pjrt.PjrtError as error:
            print("  allocator state is not offered:", error)


if __name__ == "__main__":
    main()
