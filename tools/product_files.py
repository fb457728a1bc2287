"""The Python files of the product."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("muster", "infra", "addons", "policies")
"""`muster/infra`, `muster/addons` and `muster/policies` are links to the others. `Path.rglob` does not follow links."""


def files() -> Iterator[Path]:
    """Each file once, in order."""
    yield ROOT / "__main__.py"
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def name(file: Path) -> str:
    """The file as it is imported: ``infra/network.py`` for both `infra` and `muster/infra`."""
    return file.relative_to(ROOT).as_posix().removeprefix("muster/")
