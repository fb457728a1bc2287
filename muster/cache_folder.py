"""The folder of what Muster keeps between runs."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/muster``, or ``~/.cache/muster``. Everything in it may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "muster"
