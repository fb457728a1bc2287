"""The launch template of a group, its interfaces and hardware, and the text for what is missing."""

from dataclasses import fields

from muster.fleet.resources import Fleet, LaunchTemplate, NetworkInterface
from muster.fleet.resources.fleet import TemplateGroup
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_of
from muster.unknown import UNKNOWN, UnknownType


def interfaces_of(template: LaunchTemplate, *needed: str) -> tuple[tuple[NetworkInterface, ...], str]:
    """The interfaces of which every needed attribute is known, and what is missing for the others."""
    if template.interfaces is UNKNOWN:
        return (), "the network interfaces (known only after `pulumi up`)"
    if _hidden(template).isdisjoint(needed):
        return template.interfaces, ""
    known = tuple(nic for nic in template.interfaces if all(getattr(nic, name) is not UNKNOWN for name in needed))
    return known, f"the {and_list(needed)} of every network interface"


@cached_by_identity(4096)
def _hidden(template: LaunchTemplate) -> frozenset[str]:
    """The attributes that are unknown for some interface. A template has dozens, and about 24 rules call this."""
    nics = () if template.interfaces is UNKNOWN else template.interfaces
    return frozenset(name for nic in nics for name in _ATTRIBUTES if getattr(nic, name) is UNKNOWN)


_ATTRIBUTES = tuple(each.name for each in fields(NetworkInterface))


def template_of(group: TemplateGroup, fleet: Fleet) -> tuple[LaunchTemplate | None, str]:
    """A group's launch template; none and nothing missing if EKS creates one itself."""
    template = fleet.template_of(group)
    if template or group.template is None:
        return template, ""
    if group.template is UNKNOWN:
        return None, "the launch template (known only after `pulumi up`)"
    return None, f"launch template {name_of(group.template)}, which this program does not create"


def hardware_missing(template: LaunchTemplate, fleet: Fleet) -> str:
    """The text for a template whose hardware the catalog does not have."""
    named: list[str | UnknownType | None] = [template.instance]
    named += [fleet.instance_of(group) for group in fleet.groups_of(template)]
    known = sorted({name for name in named if isinstance(name, str)})
    return f"the hardware of {and_list(known)}, which Muster does not know" if known else "the instance type"
