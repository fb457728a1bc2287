"""The cache of build results: `$XDG_CACHE_HOME/muster/rehearsal`, one folder an entry. An entry is complete or absent.

A sealed entry has the SHA-256 of each of its files (`SHA256SUMS`, which `sha256sum --check` reads), and counts as
present only while they match. Hashing 300 MB takes 0.3 to 1 s of processor time, so a file is hashed again only if its
size, its times or its inode have changed since it was last verified. Programs cannot set the time of the last change
(ctime), so every write is detected. Damage below the file system (a failing disk) is detected only by a thorough check
(`make binaries`). This guards against damage and mistakes, not against an attacker who can write to the cache, and so
can write new sums.
"""

import contextlib
import fcntl
import hashlib
import json
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

SUMS = "SHA256SUMS"
_VERIFIED = ".verified"
"""The file beside the sums: file -> the result of `_stamp` when its sum last matched."""

_UNUSED_DAYS = 60
"""Entries that are unused for this long are deleted when another is created."""


def cache_root() -> Path:
    """The cache's folder."""
    return cache_folder() / "rehearsal"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, by its name. It is present if the file `proof` exists and its sealed files are unchanged."""

    name: str
    proof: str
    sealed: bool = False
    """Whether the SHA-256 of each of its files is recorded."""

    @property
    def folder(self) -> Path:
        """Its path, whether it exists or not."""
        return cache_root() / self.name

    def there(self, *, thorough: bool = False) -> bool:
        """Whether it exists and is unchanged. Records that it was used.

        Args:
            thorough: hashes every sealed file, also those that nothing was written to since they were verified.
        """
        with contextlib.suppress(OSError):
            os.utime(self.folder)
        return (self.folder / self.proof).is_file() and not self.damage(thorough=thorough)

    def damage(self, *, thorough: bool = False) -> str:
        """The damage of its sealed files, as text; empty if there is none, or if the entry does not exist."""
        if not self.sealed or not self.folder.is_dir():
            return ""
        sums = _sums(self.folder)
        if self.proof not in sums:
            return f"{SUMS} has no SHA-256 for {self.folder / self.proof}"
        verified = {} if thorough else _verified(self.folder)
        damage = ""
        for name, expected in sums.items():
            file = self.folder / name
            try:
                stamp = _stamp(file)
                if verified.pop(name, None) == stamp or (found := _sha256(file)) == expected:
                    verified[name] = stamp
                else:
                    damage = f"{file} has changed since it was built: its SHA-256 is {found} instead of {expected}"
            except OSError as fault:
                damage = f"{file} cannot be read ({fault.strerror})"
        _note_verified(self.folder, verified)
        return damage

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
                if self.sealed:
                    _seal(making)
                shutil.rmtree(self.folder, ignore_errors=True)  # without its proof, or damaged
                making.rename(self.folder)
                _forget_unused()
            finally:
                shutil.rmtree(making, ignore_errors=True)
        finally:
            os.close(lock)


def _seal(folder: Path) -> None:
    names = sorted(each.name for each in folder.iterdir() if each.is_file())
    (folder / SUMS).write_text("".join(f"{_sha256(folder / name)}  {name}\n" for name in names))


def _sums(folder: Path) -> dict[str, str]:
    """File -> its recorded SHA-256; empty if there is no readable record."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    parts = (line.partition("  ") for line in lines)
    return {name: digest for digest, _, name in parts if name}


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _stamp(file: Path) -> list[int]:
    """Values that differ after every write to a file, and after its replacement by another file."""
    seen = file.stat()
    return [seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_dev]


def _verified(folder: Path) -> dict[str, list[int]]:
    try:
        noted = json.loads((folder / _VERIFIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _note_verified(folder: Path, verified: dict[str, list[int]]) -> None:
    """Writes the whole file or nothing, because other processes may read it at the same time. If it cannot be written,
    files are hashed each time."""
    if verified == _verified(folder):
        return
    with contextlib.suppress(OSError):
        file, name = tempfile.mkstemp(prefix=f"{_VERIFIED}-", dir=folder)
        with os.fdopen(file, "w", encoding="utf-8") as noted:
            json.dump(verified, noted)
        Path(name).rename(folder / _VERIFIED)


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
