"""The plugin's entry: what the engine runs. Everything else is importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from components.host import serve

if __name__ == "__main__":
    serve()
