"""The two ways to say a HyperPod group's instance type."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import number

_MOST = 20


@rule(
    "hyperpod-instance-type-stated-once",
    title="A HyperPod group says its instance type, or a list of up to 20",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="InstanceType and InstanceRequirements exclude each other, and a group without either is of no type: the API "
    "refuses the whole cluster. A description always says one type.",
    source="SageMaker API, ClusterInstanceGroupSpecification",
    remedy="Say one of the two.",
    facts=("rules.md#58", "hardware.md#R19"),
)
def hyperpod_instance_type_stated_once(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    single, listed = group.instance_type, group.requirements
    if single is not None and listed is not None:
        got = f"{called(group)} has both an instanceType and instanceRequirements"
        yield rule.finding(group.place, at="instance", got=got, remedy="leave out one of the two")
    elif single is None and listed is None:
        got = f"{called(group)} has neither an instanceType nor instanceRequirements"
        yield rule.finding(group.place, at="instance", got=got, remedy="say its instanceType, as in ml.p5.48xlarge")
    elif listed is UNKNOWN:
        yield rule.unjudged(group.place, f"the instance types of {called(group)}, not known before creation")
    elif listed is not None and not 1 <= len(listed) <= _MOST:
        got = f"{called(group)} lists {number(len(listed), 'instance type')}; the API takes 1 to {_MOST}"
        yield rule.finding(group.place, at="instance", got=got, remedy=f"list 1 to {_MOST} of them")
