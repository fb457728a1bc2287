"""The pack's entry in a checkout: what the engine runs. Everything else is importable from `muster.policies.analyzer`.

`muster policies path` writes one for an installed Muster (`muster.cli.commands.policies`).
"""

import os
from pathlib import Path

from muster.policies.analyzer import serve

if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[1])  # the engine starts a pack in the folder of the pack
    serve()
