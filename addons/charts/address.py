"""Places that are reached by an address: a mirror, and the add-ons' own."""

import re
from dataclasses import dataclass
from pathlib import Path

from addons.addon import Addon, Chart, Manifest
from addons.charts.download import NotFetched, fetched
from addons.charts.faults import ChartFault, NoChart
from addons.charts.helm import HelmSaysNo, helm
from addons.charts.logins import shown
from addons.charts.place import Found
from addons.charts.versions import spellings

_OCI = "oci://"
_NOT_IN_INDEX = re.compile(r'^chart ".*" version ".*" not found in ')
_NOT_IN_REGISTRY = re.compile(r": not found$")


@dataclass(frozen=True, slots=True)
class Mirror:
    """An index that has the charts of all add-ons, and their manifests beside it; or a registry, which has no files."""

    address: str

    def find(self, addon: Addon, version: str, scratch: Path) -> Found:
        """See `Place`."""
        if isinstance(addon.source, Chart):
            return _pulled(addon, addon.source.name, self.address, version, scratch)
        if self.address.startswith(_OCI):
            raise NoChart(f"{addon.name} is one manifest, and {shown(self.address)} is a registry, which has no files")
        named = {f"{addon.name}-{each}.yaml": version for each in spellings(version)}
        own = (addon.source.address.rpartition("/")[2],) if isinstance(addon.source, Manifest) else ()
        plain = dict.fromkeys((f"{addon.name}.yaml", *own))
        for name, known in {**named, **plain}.items():
            if found := _downloaded(addon, f"{self.address}/{name}", known, scratch):
                return found
        raise NoChart(f"{shown(self.address)} has no {addon.name}-{version}.yaml and no {addon.name}.yaml")


@dataclass(frozen=True, slots=True)
class Online:
    """The address that each add-on's project publishes it at."""

    def find(self, addon: Addon, version: str, scratch: Path) -> Found:
        """See `Place`."""
        if isinstance(addon.source, Chart):
            return _pulled(addon, addon.source.name, addon.source.repository, version, scratch)
        if not isinstance(addon.source, Manifest):
            raise NoChart(
                f"{addon.name} is made by kustomize; give --charts a folder with {addon.name}-{version}.yaml, the "
                "output of `kubectl kustomize` on its overlay"
            )
        address = addon.source.address_of(version)
        if found := _downloaded(addon, address, version, scratch):
            return found
        raise NoChart(f"there is nothing at {shown(address)}")


def _pulled(addon: Addon, chart: str, repository: str, version: str, scratch: Path) -> Found:
    in_registry = repository.startswith(_OCI)
    try:
        if in_registry:
            helm().pull(f"{repository}/{chart}", version, None, scratch)
        else:
            helm().pull(chart, version, repository, scratch)
    except HelmSaysNo as fault:
        missing = _NOT_IN_REGISTRY if in_registry else _NOT_IN_INDEX
        if missing.search(str(fault)):
            raise NoChart(f"{shown(repository)} has no {chart} {version}") from fault
        raise ChartFault(_unreached(addon, f"{chart} {version}", repository, str(fault))) from fault
    archives = sorted(scratch.glob("*.tgz"))
    if not archives:
        raise ChartFault(_unreached(addon, f"{chart} {version}", repository, "Helm fetched nothing"))
    return Found(archives[0], shown(repository))


def _downloaded(addon: Addon, address: str, version: str | None, scratch: Path) -> Found | None:
    try:
        content = fetched(address)
    except NotFetched as fault:
        raise ChartFault(_unreached(addon, "the manifest", address, str(fault))) from fault
    if content is None:
        return None
    file = scratch / f"{addon.name}.yaml"
    file.write_bytes(content)
    return Found(file, shown(address), version)


def _unreached(addon: Addon, what: str, address: str, words: str) -> str:
    return (
        f"{addon.name}: {what} cannot be had from {shown(address)}: {shown(words, address)}; check the address and the "
        "network, or give --charts a folder that has it"
    )
