"""The tools in `tools/`."""
