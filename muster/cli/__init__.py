"""The `muster` command: one module per noun, each a thin layer over a pure function and a writer.

Commands import what they need when they run: `muster check` must answer in half a second, so it loads neither pulumi
nor rich.
"""
