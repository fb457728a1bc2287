"""The CSI driver with which pods mount a file system."""

from collections.abc import Iterator
from functools import partial

from muster.fleet.resources import ControlPlane, Fleet, LustreFileSystem
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.installed_addons import Installed, name_of, ordered_addons, parts
from muster.unknown import any_of

_EKS_ADDON = "aws-fsx-csi-driver"


def lustre_has_its_driver(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system is not fleet.of(LustreFileSystem)[0]:
        return  # once for all of them
    if fleet.backend is None or fleet.absent or any(plane.existing for plane in fleet.of(ControlPlane)):
        return  # another program, another stack or the cluster's owner may install it
    if any(parts(fleet, PartKind.FSX_CSI)) or any_of(*(partial(_is_driver, each) for each in ordered_addons(fleet))):
        return
    got = "no add-on installs the FSx CSI driver, so pods cannot mount the file system"
    change = "add `fsx-csi-driver: {}` under addons, unless nodes mount the file system themselves"
    yield rule.finding(system, "", got=got, change=change)


def _is_driver(addon: Installed) -> bool:
    return name_of(addon) == _EKS_ADDON
