"""The release archives of the control plane's programs: downloaded, compared with their published sum, extracted.

`programs/archives.toml` has their addresses and sums. Nothing of an archive with another sum is used.
"""

import hashlib
import platform
import shutil
import ssl
import sys
import tarfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import httpx2

from muster.rehearsal.machine_limits import RehearsalError

FILE = Path(__file__).with_name("programs") / "archives.toml"

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_CONNECT_SECONDS = 3.0
"""Seconds to connect to one address. Some firewalls drop packets instead of refusing them."""
_STALL_SECONDS = 10.0
"""Seconds without one byte."""
_CHUNK = 1 << 20
_KEY = 12
"""Characters of the sum in a folder's name."""


class NotDownloaded(Exception):
    """The archive cannot be downloaded from here; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A release archive for this machine."""

    programs: tuple[str, ...]
    version: str
    """``1.35.4``."""
    address: str
    member: str
    """The path of a program in it, with ``{program}``; empty if the file is the program."""
    sum: str
    """``sha512:7454...``."""
    published: str
    """The address of the published sum."""

    @property
    def name(self) -> str:
        """``kubernetes-server-linux-amd64.tar.gz``."""
        return self.address.rpartition("/")[2]

    @property
    def entry(self) -> str:
        """Its folder in the cache."""
        return f"{self.name}-{self.version}-{self.sum.partition(':')[2][:_KEY]}"


def archives_here() -> dict[str, Archive]:
    """Program -> its archive for this machine; empty on a system without archives."""
    architecture = _ARCHITECTURES.get(platform.machine())
    if sys.platform != "linux" or not architecture:
        return {}
    return {
        program: Archive(
            tuple(each["programs"]),
            each["version"],
            each["address"].replace("{architecture}", architecture),
            each["member"].replace("{architecture}", architecture),
            each["sums"][architecture],
            each["published"],
        )
        for each in tomllib.loads(FILE.read_text())["archive"]
        for program in each["programs"]
    }


def download(archive: Archive, folder: Path, arrived: Callable[[int], None]) -> None:
    """Downloads the archive and writes its programs into the folder, which is of no use after an error.

    Args:
        archive: the archive.
        folder: an empty folder.
        arrived: called with the number of bytes that have arrived so far; what it raises ends the download.

    Raises:
        NotDownloaded: it is not there, or the network does not reach it, or stalls.
        RehearsalError: its sum is not the published one.
    """
    algorithm, _, published = archive.sum.partition(":")
    digest = hashlib.new(algorithm)

    def arriving(answer: httpx2.Response) -> Iterator[bytes]:
        for chunk in answer.iter_raw(_CHUNK):
            digest.update(chunk)
            arrived(answer.num_bytes_downloaded)
            yield chunk

    try:
        client = httpx2.Client(
            verify=ssl.create_default_context(),  # the machine's certificate authorities, as Go does
            timeout=httpx2.Timeout(_STALL_SECONDS, connect=_CONNECT_SECONDS),
            follow_redirects=True,
            headers={"Accept-Encoding": "identity"},
        )
    except (ImportError, ValueError) as fault:
        raise NotDownloaded(f"the proxy of the environment: {fault}") from None
    try:
        with client, client.stream("GET", archive.address) as answer:
            answer.raise_for_status()
            _extract(archive, arriving(answer), folder)
    except httpx2.HTTPStatusError as fault:
        raise NotDownloaded(f"{fault.response.url.host} answers {fault.response.status_code}") from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as fault:
        raise NotDownloaded(str(fault) or type(fault).__name__) from None
    if digest.hexdigest() != published:
        raise RehearsalError(
            f"{archive.address} has the {algorithm} sum {digest.hexdigest()}, but its project publishes {published} "
            f"({archive.published}): something between here and there changes downloads or cuts them off. Nothing of "
            "it is used; try again on another network, or build the programs with `muster rehearse --build`"
        )
    if lacking := [program for program in archive.programs if not (folder / program).is_file()]:
        raise RehearsalError(f"{archive.address} has no {archive.member.format(program=lacking[0])}")


def _extract(archive: Archive, chunks: Iterator[bytes], folder: Path) -> None:
    """Writes the programs, and reads the chunks to their end. What cannot be read as an archive has another sum."""
    stream = _Stream(chunks)
    if archive.member:
        with suppress(tarfile.TarError, EOFError, TypeError, ValueError):
            wanted = {archive.member.format(program=program): program for program in archive.programs}
            with tarfile.open(fileobj=cast("Any", stream), mode="r|gz", bufsize=_CHUNK) as members:
                while wanted and (member := members.next()):
                    if member.isfile() and (program := wanted.pop(member.name, None)):
                        _write(cast("IO[bytes]", members.extractfile(member)), folder / program)
    else:
        _write(stream, folder / archive.programs[0])
    for _ in chunks:
        pass


@dataclass(frozen=True, slots=True)
class _Stream:
    """Chunks as a file, as far as `tarfile` and `shutil` read it."""

    chunks: Iterator[bytes]

    def read(self, _size: int = -1) -> bytes:
        return next(self.chunks, b"")


def _write(source: "IO[bytes] | _Stream", file: Path) -> None:
    with file.open("xb") as program:
        shutil.copyfileobj(source, program, _CHUNK)
    file.chmod(0o755)
