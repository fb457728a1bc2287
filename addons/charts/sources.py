"""The places of charts and manifests: a folder, a mirror, the projects' repositories."""

import re
import tarfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import unquote
from urllib.request import Request, urlopen

import yaml

from muster.addons.addon import Addon, Chart, Manifest
from muster.addons.charts.helm import ChartFault, HelmError, NoChart, helm
from muster.whole_number import whole_number


@dataclass(frozen=True, slots=True)
class FoundChart:
    """A chart (an archive or a folder) or a manifest (a file)."""

    path: Path
    shown: str
    """The address that it came from, or its path; for messages."""
    version: str | None = None
    """The version of a manifest, where its file name has it; None for a chart, which contains its version."""


class Place(Protocol):
    """A folder, a mirror, or the projects' repositories."""

    def find(self, addon: Addon, version: str, scratch: Path) -> FoundChart:
        """The add-on's chart or manifest.

        Args:
            addon: the add-on.
            version: the version that would be installed.
            scratch: a folder for files that are fetched.

        Raises:
            NoChart: it has none.
            ChartFault: whether it has one cannot be determined.
        """


_SECONDS = 60
_SILENT_SECONDS = 15
"""Without a byte."""
_MOST_BYTES = 32 << 20
_CHUNK = 1 << 16
_NOT_THERE = {404, 410}


class NotFetched(Exception):
    """An address could not be fetched; the message is the reason."""


def fetched(address: str) -> bytes | None:
    """The content at an ``https://`` or ``http://`` address; None where there is none.

    Raises:
        NotFetched: the address does not answer, or answers with an error.
    """
    until, content = time.monotonic() + _SECONDS, bytearray()
    try:
        request = Request(address, headers={"User-Agent": "muster"})  # noqa: S310  # callers give http addresses only
        with urlopen(request, timeout=_SILENT_SECONDS) as answer:  # noqa: S310
            while chunk := answer.read1(_CHUNK):
                content += chunk
                if time.monotonic() > until:
                    raise NotFetched(f"the transfer took more than {_SECONDS} seconds")
                if len(content) > _MOST_BYTES:
                    raise NotFetched(f"the file is larger than {_MOST_BYTES >> 20} MiB")
    except HTTPError as fault:
        if fault.code in _NOT_THERE:
            return None
        raise NotFetched(f"the server answers {fault.code} {fault.reason}") from fault
    except URLError as fault:
        raise NotFetched(str(fault.reason)) from fault
    except (OSError, HTTPException, ValueError) as fault:
        raise NotFetched(str(fault) or type(fault).__name__) from fault
    return bytes(content)


_LOGIN = re.compile(r"(?<=://)[^/\s]*@")


def without_logins(words: str, *addresses: str) -> str:
    """A text without the logins of addresses.

    Args:
        words: an address, or a program's message about one.
        addresses: the addresses whose logins, and parts of logins, are removed: a message may have only a part.
    """
    for login in (each[0].removesuffix("@") for address in addresses if (each := _LOGIN.search(address))):
        user, _, password = login.partition(":")
        parts = (login, password or user)
        for part in (*parts, *map(unquote, parts)):
            words = words.replace(f"{part}@", "").replace(part, "...") if part else words
    return _LOGIN.sub("", words)


_FILE = "Chart.yaml"
_MOST_METADATA_BYTES = 1 << 20


def chart_version(chart: Path) -> str:
    """The chart's own version.

    Raises:
        ValueError: it is not a chart; the message has the reason.
    """
    try:
        metadata = yaml.safe_load((chart / _FILE).read_bytes() if chart.is_dir() else _of_archive(chart))
    except (tarfile.TarError, EOFError, zlib.error) as fault:
        raise ValueError(f"the archive cannot be read ({fault})") from fault
    except OSError as fault:
        raise ValueError(str(fault)) from fault
    except yaml.YAMLError as fault:
        raise ValueError(f"its {_FILE} is not valid YAML") from fault
    if not isinstance(metadata, dict) or not metadata.get("version"):
        raise ValueError(f"its {_FILE} sets no version")
    return str(metadata["version"])


def _of_archive(archive: Path) -> bytes:
    with tarfile.open(archive, "r:gz") as opened:
        for member in opened:
            # NAME/Chart.yaml; deeper ones are sub-charts'.
            if member.isfile() and member.name.removeprefix("./").split("/")[1:] == [_FILE]:
                file = opened.extractfile(member)
                return file.read(_MOST_METADATA_BYTES) if file else b""
    raise ValueError(f"there is no {_FILE} in it")


def same(one: str, other: str) -> bool:
    """Whether they are one version."""
    return one.removeprefix("v") == other.removeprefix("v")


def spellings(version: str) -> tuple[str, str]:
    """As it is, and the other way."""
    return version, version.removeprefix("v") if version.startswith("v") else f"v{version}"


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Sorts newer versions after older ones, and a release after its candidates."""
    number, _, candidate = version.removeprefix("v").partition("-")
    return tuple(whole_number(digits) or 0 for digits in re.findall(r"[0-9]+", number)), not candidate, candidate


_VERSION = r"-(?P<version>v?\d.*)"


@dataclass(frozen=True, slots=True)
class Folder:
    """File names are those of the tools: ``NAME-VERSION.tgz`` (`helm pull`), ``NAME/`` or ``NAME-VERSION/`` with a
    Chart.yaml; for manifests ``NAME-VERSION.yaml``, ``NAME.yaml``, or what their address ends with."""

    path: Path

    def find(self, addon: Addon, version: str, scratch: Path) -> FoundChart:  # noqa: ARG002  # nothing is fetched
        """See `Place`. Where the version is not there, the newest of the others is taken."""
        try:
            if isinstance(addon.source, Chart):
                found = tuple(self._charts(addon.source))
            else:
                found = tuple(self._manifests(addon))
        except OSError as fault:
            raise ChartFault(f"{addon.name}: the folder '{self.path}' cannot be read: {fault.strerror}") from fault
        if not found:
            wanted = f"{addon.source.name}-{version}.tgz" if isinstance(addon.source, Chart) else f"{addon.name}.yaml"
            raise NoChart(f"there is no {wanted} in '{self.path}'")
        return max(found, key=lambda each: _fitness(each, version))

    def _charts(self, chart: Chart) -> Iterator[FoundChart]:
        archive = re.compile(rf"{re.escape(chart.name)}{_VERSION}\.(tgz|tar\.gz)")  # pattern: on the name of a file
        unpacked = re.compile(rf"{re.escape(chart.name)}({_VERSION})?")
        for path in sorted(self.path.iterdir()):
            if path.is_dir():
                if unpacked.fullmatch(path.name) and (path / "Chart.yaml").is_file():
                    yield FoundChart(path, str(path), _version_of(path))
            elif match := archive.fullmatch(path.name):
                yield FoundChart(path, str(path), match["version"])

    def _manifests(self, addon: Addon) -> Iterator[FoundChart]:
        last = addon.source.address.rpartition("/")[2] if isinstance(addon.source, Manifest) else None
        versioned = re.compile(rf"{re.escape(addon.name)}{_VERSION}\.ya?ml")  # pattern: on the name of a file
        for path in sorted(each for each in self.path.iterdir() if each.is_file()):
            if match := versioned.fullmatch(path.name):
                yield FoundChart(path, str(path), match["version"])
            elif path.name in {f"{addon.name}.yaml", f"{addon.name}.yml", last}:
                yield FoundChart(path, str(path))


def _version_of(chart: Path) -> str | None:
    """None where it cannot be read: the error is reported if this chart is taken."""
    try:
        return chart_version(chart)
    except ValueError:
        return None


def _fitness(found: FoundChart, version: str) -> tuple[bool, bool, object]:
    """The requested version first, then one without a version (it may be that), then the newest."""
    if found.version is None:
        return False, True, ()
    return same(found.version, version), False, order(found.version)


_OCI = "oci://"
_NOT_IN_INDEX = re.compile(r'^chart "[^"]*" version "[^"]*" not found in ')
_NOT_IN_REGISTRY = re.compile(r": not found$")


@dataclass(frozen=True, slots=True)
class Mirror:
    """A chart index with the charts of all add-ons and, at the same address, their manifests; or a registry, which has
    no manifests."""

    address: str

    def find(self, addon: Addon, version: str, scratch: Path) -> FoundChart:
        """See `Place`."""
        if isinstance(addon.source, Chart):
            return _pulled(addon, addon.source.name, self.address, version, scratch)
        if self.address.startswith(_OCI):
            raise NoChart(
                f"{addon.name} is one manifest, but {without_logins(self.address)} is a registry, which has no files"
            )
        named = {f"{addon.name}-{each}.yaml": version for each in spellings(version)}
        own = (addon.source.address.rpartition("/")[2],) if isinstance(addon.source, Manifest) else ()
        plain = dict.fromkeys((f"{addon.name}.yaml", *own))
        for name, known in {**named, **plain}.items():
            if found := _downloaded(addon, f"{self.address}/{name}", known, scratch):
                return found
        raise NoChart(f"{without_logins(self.address)} has no {addon.name}-{version}.yaml and no {addon.name}.yaml")


@dataclass(frozen=True, slots=True)
class Online:
    """The repository of each add-on's project."""

    def find(self, addon: Addon, version: str, scratch: Path) -> FoundChart:
        """See `Place`."""
        if isinstance(addon.source, Chart):
            return _pulled(addon, addon.source.name, addon.source.repository, version, scratch)
        if not isinstance(addon.source, Manifest):
            raise NoChart(
                f"{addon.name} is built by kustomize; give --charts a folder with {addon.name}-{version}.yaml, the "
                "output of `kubectl kustomize` for its overlay"
            )
        address = addon.source.address_of(version)
        if found := _downloaded(addon, address, version, scratch):
            return found
        raise NoChart(f"there is nothing at {without_logins(address)}")


def _pulled(addon: Addon, chart: str, repository: str, version: str, scratch: Path) -> FoundChart:
    in_registry = repository.startswith(_OCI)
    try:
        if in_registry:
            helm().pull(f"{repository}/{chart}", version, None, scratch)
        else:
            helm().pull(chart, version, repository, scratch)
    except HelmError as fault:
        missing = _NOT_IN_REGISTRY if in_registry else _NOT_IN_INDEX
        if missing.search(str(fault)):
            raise NoChart(f"{without_logins(repository)} has no {chart} {version}") from fault
        raise ChartFault(_unreached(addon, f"{chart} {version}", repository, str(fault))) from fault
    archives = sorted(scratch.glob("*.tgz"))
    if not archives:
        raise ChartFault(_unreached(addon, f"{chart} {version}", repository, "Helm fetched no file"))
    return FoundChart(archives[0], without_logins(repository))


def _downloaded(addon: Addon, address: str, version: str | None, scratch: Path) -> FoundChart | None:
    try:
        content = fetched(address)
    except NotFetched as fault:
        raise ChartFault(_unreached(addon, "the manifest", address, str(fault))) from fault
    if content is None:
        return None
    file = scratch / f"{addon.name}.yaml"
    file.write_bytes(content)
    return FoundChart(file, without_logins(address), version)


def _unreached(addon: Addon, what: str, address: str, words: str) -> str:
    return (
        f"{addon.name}: {what} is not available from {without_logins(address)}: {without_logins(words, address)}; "
        "check the address and the network, or give --charts a folder that contains it"
    )
