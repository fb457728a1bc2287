"""What is made once and kept: `$XDG_CACHE_HOME/muster/rehearsal`, one folder an entry, complete or not there."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.progress import Progress

_UNUSED_DAYS = 60
"""Entries that nobody used for so long go when another is made."""


def root() -> Path:
    """The cache's folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "muster" / "rehearsal"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, by its name; it is there when the file `proof` is."""

    name: str
    proof: str

    @property
    def folder(self) -> Path:
        """Where it is, or would be."""
        return root() / self.name

    def there(self) -> bool:
        """Whether it has been made. Notes that it is used."""
        with contextlib.suppress(OSError):
            os.utime(self.folder)
        return (self.folder / self.proof).is_file()

    @contextlib.contextmanager
    def being_made(self, progress: Progress) -> Iterator[Path | None]:
        """An empty folder that becomes the entry when the block ends well; None where somebody else made it meanwhile.

        One process makes it, others wait for that one. A process that is killed leaves its lock open and a folder
        with another name, which the next one clears away.

        Raises:
            RehearsalFault: the cache cannot be written.
        """
        try:
            root().mkdir(parents=True, exist_ok=True)
            lock = os.open(root() / f"{self.name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise RehearsalFault(
                f"the cache {root()} cannot be written: {fault.strerror}; set XDG_CACHE_HOME to a folder that can"
            ) from None
        try:
            _take(lock, self.name, progress)
            if self.there():
                yield None
                return
            for left in root().glob(f"{self.name}.making-*"):
                shutil.rmtree(left, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f"{self.name}.making-", dir=root()))
            try:
                yield making
                shutil.rmtree(self.folder, ignore_errors=True)  # without its proof it is none
                making.rename(self.folder)
                _forget_unused()
            finally:
                shutil.rmtree(making, ignore_errors=True)
        finally:
            os.close(lock)


def _take(lock: int, name: str, progress: Progress) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        progress.line(f"another Muster is making {name}; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def _forget_unused() -> None:
    for folder in root().iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and time.time() - folder.stat().st_mtime > _UNUSED_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)
