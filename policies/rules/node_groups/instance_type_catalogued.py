"""Instance types that Muster does not know."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import template_of


def instance_type_catalogued(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in sorted({each.removeprefix(ML) for each in _types(group, fleet)}):
        try:
            hardware(each)
        except UnknownInstance as unknown:
            change = set_to(words="a type that `muster hardware --all` lists")
            yield rule.finding(group, "instance", got=str(unknown), change=change)


def _types(group: AnyGroup, fleet: Fleet) -> tuple[str, ...]:
    """A group's instance types. AWS states those of a reservation."""
    if group.instance_types or not isinstance(group, NodeGroup):
        return group.instance_types
    template = template_of(group, fleet)
    return (template.instance,) if template and template.instance else ()
