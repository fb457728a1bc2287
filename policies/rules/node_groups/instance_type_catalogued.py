"""Instance types that Muster does not know."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.launch_templates import template_of


@rule(
    "instance-type-catalogued",
    title="Instance types are EC2 types that Muster knows",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup | ComputeResource | ComputeNodeGroup,
    backends=EVERY_BACKEND,
    why="Rules judge interfaces, addresses, huge pages and the resources of pods by what EC2 states about the type. "
    "They cannot judge a type that Muster does not know, and EC2 rejects a type that does not exist.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html",),
    remedy="Use a type that `muster hardware --all` lists. For a type that is newer than Muster, rules report what "
    "they cannot judge.",
    facts=("hardware.md#R25",),
)
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
