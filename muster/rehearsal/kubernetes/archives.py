"""The release archives of the control plane's programs: downloaded, compared with their published sum, extracted.

`programs/archives.toml` has their addresses and sums. Nothing of an archive with another sum is used.
"""

import hashlib
import platform
import shutil
import ssl
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx2

from muster.rehearsal.machine_limits import RehearsalError

FILE = Path(__file__).with_name("programs") / "archives.toml"

_CONNECT_SECONDS = 3.0
"""Seconds to connect to one address. Some firewalls drop packets instead of refusing them."""
_STALL_SECONDS = 10.0
"""Seconds without one byte."""
_MOST_BYTES, _MOST_SECONDS = 1 << 30, 900.0
"""More than an archive has, and longer than a build takes."""
_CHUNK = 1 << 20


class NotDownloaded(Exception):
    """The archive cannot be had from here; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A release archive for this machine."""

    programs: tuple[str, ...]
    version: str
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
        return f"{self.name}-{self.version}-{self.sum.partition(':')[2][:12]}"


def archives_here() -> dict[str, Archive]:
    """Program -> its archive for this machine; empty on a system without archives."""
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine())
    if sys.platform != "linux" or not architecture:
        return {}
    found: dict[str, Archive] = {}
    for each in tomllib.loads(FILE.read_text())["archive"]:
        address, member = (each[key].replace("{architecture}", architecture) for key in ("address", "member"))
        sum_, programs = each["sums"][architecture], tuple(each["programs"])
        archive = Archive(programs, each["version"], address, member, sum_, each["published"])
        found |= dict.fromkeys(programs, archive)
    return found


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
    digest, file, began = hashlib.new(algorithm), folder / archive.name, time.monotonic()
    timeout = httpx2.Timeout(_STALL_SECONDS, connect=_CONNECT_SECONDS)
    trusted = ssl.create_default_context()  # the machine's certificate authorities, as Go does
    try:
        with (
            httpx2.Client(verify=trusted, timeout=timeout, follow_redirects=True) as client,
            client.stream("GET", archive.address, headers={"Accept-Encoding": "identity"}) as answer,
            file.open("xb") as downloaded,
        ):
            answer.raise_for_status()
            for chunk in answer.iter_raw(_CHUNK):
                arrived(answer.num_bytes_downloaded)
                if answer.num_bytes_downloaded > _MOST_BYTES or time.monotonic() > began + _MOST_SECONDS:
                    raise NotDownloaded(f"it has more than {_MOST_BYTES} bytes, or takes over {_MOST_SECONDS:.0f} s")
                digest.update(chunk)
                downloaded.write(chunk)
    # The last two: a proxy of the environment that the library cannot use.
    except (httpx2.HTTPError, httpx2.InvalidURL, ImportError, ValueError) as fault:
        raise NotDownloaded(str(fault).partition("\n")[0] or repr(fault)) from None
    if digest.hexdigest() != published:
        raise RehearsalError(
            f"{archive.address} has the {algorithm} sum {digest.hexdigest()}, but its project publishes {published} "
            f"({archive.published}): something between here and there changes downloads or cuts them off. Nothing of "
            "it is used; try again on another network, or build the programs with `muster rehearse --build`"
        )
    if archive.member:
        _extract(archive, file, folder)
        file.unlink()
    else:
        file.rename(folder / archive.programs[0])
    for program in archive.programs:
        (folder / program).chmod(0o755)


def _extract(archive: Archive, file: Path, folder: Path) -> None:
    wanted = {archive.member.format(program=program): program for program in archive.programs}
    with tarfile.open(file, "r|*") as members:
        for member in members:
            if (program := wanted.pop(member.name, None)) and (source := members.extractfile(member)):
                with (folder / program).open("xb") as extracted:
                    shutil.copyfileobj(source, extracted, _CHUNK)
    if wanted:
        raise NotDownloaded(f"it has no {' and no '.join(wanted)}")
