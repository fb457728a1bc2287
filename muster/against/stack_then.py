"""A stack as its files were at a ref: laid out in a folder of their own, and read as today's are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from muster.against.repository import Revision
from muster.fleet.document import Document
from muster.fleet.stack_file import StackFile, load

_STACKS = "stacks"


@dataclass(frozen=True, slots=True)
class Then:
    """What the stacks of a project were at a ref."""

    revision: Revision
    stacks: Mapping[str, StackFile]
    """Those that were asked for and were there."""
    names: tuple[str, ...]
    """All that were there."""
    texts: Mapping[str, bytes]
    """Every stack's file."""
    folder: Path

    def labelled(self, words: str) -> str:
        """Words with the files named as git names them."""
        return words.replace(str(self.folder / _STACKS), self.revision.label(_STACKS))


@contextmanager
def stacks_then(revision: Revision, *names: str) -> Iterator[Then]:
    """The stacks of these names at a ref, with their facts and the other stacks of their clusters.

    Raises:
        NotAtHand: git does not have the files.
    """
    files = revision.files(_STACKS, ".yaml", ".json")
    with TemporaryDirectory(prefix="muster-against-") as made:
        folder = Path(made)
        for path, content in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        texts = {
            path.removeprefix(f"{_STACKS}/Pulumi.").removesuffix(".yaml"): content
            for path, content in files.items()
            if path.startswith(f"{_STACKS}/Pulumi.") and path.endswith(".yaml") and path.count("/") == 1
        }
        yield Then(
            revision,
            {name: _loaded(folder, name) for name in names if name in texts},
            tuple(sorted(texts)),
            texts,
            folder,
        )


def _loaded(folder: Path, name: str) -> StackFile:
    stacks = folder / _STACKS
    return load(name, stacks / f"Pulumi.{name}.yaml", stacks / "facts" / f"{name}.json")


def cluster_written(document: Document) -> object:
    """What stands below `muster:cluster`, as it is written, whatever is wrong with it."""
    config = document.data.get("config") if isinstance(document.data, dict) else None
    return config.get("muster:cluster") if isinstance(config, dict) else None
