"""A folder with charts, packed or not, and manifests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from addons.addon import Addon, Chart, Manifest
from addons.charts.faults import ChartFault, NoChart
from addons.charts.metadata import chart_version
from addons.charts.place import Found
from addons.charts.versions import order, same

_VERSION = r"-(?P<version>v?\d.*)"


@dataclass(frozen=True, slots=True)
class Folder:
    """Names are what tools give: ``NAME-VERSION.tgz`` (`helm pull`), ``NAME/`` or ``NAME-VERSION/`` with a Chart.yaml;
    for manifests ``NAME-VERSION.yaml``, ``NAME.yaml``, or what their address ends with."""

    path: Path

    def find(self, addon: Addon, version: str, scratch: Path) -> Found:  # noqa: ARG002  # nothing is fetched
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

    def _charts(self, chart: Chart) -> Iterator[Found]:
        archive = re.compile(rf"{re.escape(chart.name)}{_VERSION}\.(tgz|tar\.gz)")
        unpacked = re.compile(rf"{re.escape(chart.name)}({_VERSION})?")
        for path in sorted(self.path.iterdir()):
            if path.is_dir():
                if unpacked.fullmatch(path.name) and (path / "Chart.yaml").is_file():
                    yield Found(path, str(path), _version_of(path))
            elif match := archive.fullmatch(path.name):
                yield Found(path, str(path), match["version"])

    def _manifests(self, addon: Addon) -> Iterator[Found]:
        last = addon.source.address.rpartition("/")[2] if isinstance(addon.source, Manifest) else None
        versioned = re.compile(rf"{re.escape(addon.name)}{_VERSION}\.ya?ml")
        for path in sorted(each for each in self.path.iterdir() if each.is_file()):
            if match := versioned.fullmatch(path.name):
                yield Found(path, str(path), match["version"])
            elif path.name in {f"{addon.name}.yaml", f"{addon.name}.yml", last}:
                yield Found(path, str(path))


def _version_of(chart: Path) -> str | None:
    """A folder's name need not say it. What is broken in it is said when it is the one that is taken."""
    try:
        return chart_version(chart)
    except ValueError:
        return None


def _fitness(found: Found, version: str) -> tuple[bool, bool, object]:
    """The one that is asked for, else one that names no version (it may be that), else the newest."""
    if found.version is None:
        return False, True, ()
    return same(found.version, version), False, order(found.version)
