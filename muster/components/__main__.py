"""The plugin's entry: what the engine runs. Everything else is importable."""

from muster.components.host import serve

if __name__ == "__main__":
    serve()
