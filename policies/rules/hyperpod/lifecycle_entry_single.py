"""How a HyperPod group names the script that its instances run."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule

_LONGEST = 128


@rule(
    "lifecycle-entry-single",
    title="A lifecycle names one script of up to 128 characters, and where it is",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="OnCreate sets up an instance in HyperPod's place, OnInitComplete runs after HyperPod's own set-up: they "
    "exclude each other. A description's own types refuse both together.",
    source="SageMaker API, ClusterLifeCycleConfig; CloudFormation schema of AWS::SageMaker::Cluster",
    remedy="Name one script and its folder in S3.",
    facts=("rules.md#60", "hardware.md#f5"),
)
def lifecycle_entry_single(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lifecycle, at = group.lifecycle, "hyperpod.lifecycle"
    if lifecycle is UNKNOWN:
        yield rule.unjudged(group.place, f"the lifecycle of {called(group)}, not known before creation")
    if not isinstance(lifecycle, Lifecycle):
        return
    named = {"onCreate": lifecycle.on_create, "onInitComplete": lifecycle.on_init_complete}
    given = {key: name for key, name in named.items() if name is not None}
    if len(given) == 2:  # noqa: PLR2004 - both
        got = f"{called(group)} names both an onCreate and an onInitComplete script"
        yield rule.finding(group.place, at=at, got=got, remedy="leave out onCreate to have HyperPod's own set-up first")
    if not given or lifecycle.source is None:
        lacks = "no script" if not given else "a script and not where it is"
        remedy = "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out"
        yield rule.finding(group.place, at=at, got=f"{called(group)} has a lifecycle with {lacks}", remedy=remedy)
    for key, name in given.items():
        if isinstance(name, str) and not 1 <= len(name) <= _LONGEST:
            got = f"the {key} script of {called(group)} has a name of {len(name)} characters; the API takes {_LONGEST}"
            yield rule.finding(group.place, at=at, got=got, remedy=f"rename it, to {_LONGEST} characters at most")
