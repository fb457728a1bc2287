"""The cache of build results: `$XDG_CACHE_HOME/muster/rehearsal`, one folder an entry, complete or absent."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muster.cache_folder import cache_folder
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.progress import Progress

_UNUSED_DAYS = 60
"""Entries that are unused for this long are deleted when another is created."""


def cache_root() -> Path:
    """The cache's folder."""
    return cache_folder() / "rehearsal"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, by its name. It is present if the file `proof` exists."""

    name: str
    proof: str

    @property
    def folder(self) -> Path:
        """Its path, whether it exists or not."""
        return cache_root() / self.name

    def there(self) -> bool:
        """Whether it exists. Records that it was used."""
        with contextlib.suppress(OSError):
            os.utime(self.folder)
        return (self.folder / self.proof).is_file()

    @contextlib.contextmanager
    def being_made(self, progress: Progress) -> Iterator[Path | None]:
        """An empty folder that becomes the entry if the block ends without an error; None if another process has
        created the entry in the meantime.

        One process creates it, and the others wait for that process. A process that is killed releases its lock and
        leaves a folder with another name, which the next process removes.

        Raises:
            RehearsalError: the cache cannot be written.
        """
        try:
            cache_root().mkdir(parents=True, exist_ok=True)
            lock = os.open(cache_root() / f"{self.name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise RehearsalError(
                f"the cache {cache_root()} cannot be written: {fault.strerror}; set XDG_CACHE_HOME to a folder that can"
            ) from None
        try:
            _take(lock, self.name, progress)
            if self.there():
                yield None
                return
            for left in cache_root().glob(f"{self.name}.making-*"):
                shutil.rmtree(left, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f"{self.name}.making-", dir=cache_root()))
            try:
                yield making
                shutil.rmtree(self.folder, ignore_errors=True)  # without its proof
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
    for folder in cache_root().iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and time.time() - folder.stat().st_mtime > _UNUSED_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)
