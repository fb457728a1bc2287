"""The folder of charts and manifests.

File names are those of the tools: ``NAME-VERSION.tgz`` (`helm pull`), ``NAME/`` or ``NAME-VERSION/`` with a Chart.yaml;
for manifests ``NAME-VERSION.yaml``, ``NAME.yaml``, or what their address ends with.
"""

import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from muster.addons.addon import Addon, Chart, Manifest
from muster.addons.charts.helm import ChartFault, NoChart
from muster.whole_number import whole_number


@dataclass(frozen=True, slots=True)
class FoundChart:
    """A chart (an archive or a folder) or a manifest (a file)."""

    path: Path
    version: str | None = None
    """The version of a manifest, where its file name has it; None for a chart, which contains its version."""


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


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Sorts newer versions after older ones, and a release after its candidates."""
    number, _, candidate = version.removeprefix("v").partition("-")
    return tuple(whole_number(digits) or 0 for digits in re.findall(r"[0-9]+", number)), not candidate, candidate


_VERSION = r"-(?P<version>v?\d.*)"


def find(folder: Path, addon: Addon, version: str) -> FoundChart:
    """The add-on's chart or manifest; the newest of the others where the version is not there.

    Raises:
        NoChart: there is none.
        ChartFault: the folder cannot be read.
    """
    try:
        found = tuple(_charts(folder, addon.source) if isinstance(addon.source, Chart) else _manifests(folder, addon))
    except OSError as fault:
        raise ChartFault(f"{addon.name}: the folder '{folder}' cannot be read: {fault.strerror}") from fault
    if not found:
        wanted = f"{addon.source.name}-{version}.tgz" if isinstance(addon.source, Chart) else f"{addon.name}.yaml"
        raise NoChart(f"there is no {wanted} in '{folder}'")
    return max(found, key=lambda each: _fitness(each, version))


def _charts(folder: Path, chart: Chart) -> Iterator[FoundChart]:
    archive = re.compile(rf"{re.escape(chart.name)}{_VERSION}\.(tgz|tar\.gz)")  # pattern: on the name of a file
    unpacked = re.compile(rf"{re.escape(chart.name)}({_VERSION})?")
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if unpacked.fullmatch(path.name) and (path / "Chart.yaml").is_file():
                yield FoundChart(path, _version_of(path))
        elif match := archive.fullmatch(path.name):
            yield FoundChart(path, match["version"])


def _manifests(folder: Path, addon: Addon) -> Iterator[FoundChart]:
    last = addon.source.address.rpartition("/")[2] if isinstance(addon.source, Manifest) else None
    versioned = re.compile(rf"{re.escape(addon.name)}{_VERSION}\.ya?ml")  # pattern: on the name of a file
    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        if match := versioned.fullmatch(path.name):
            yield FoundChart(path, match["version"])
        elif path.name in {f"{addon.name}.yaml", f"{addon.name}.yml", last}:
            yield FoundChart(path)


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
