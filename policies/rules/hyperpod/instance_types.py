"""Instance types of HyperPod groups, their interfaces and threads."""

import re
from collections.abc import Iterator

from muster.config.description.instance_group import Interface
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.hyperpod_types import hyperpod_types, nearest_types
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, or_list, quantity_text, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import display_name, machines, types_of

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
        got = f"{display_name(group)} has both an instanceType and instanceRequirements"
        yield rule.finding(group.place, at="instance", got=got, remedy="leave out one of the two")
    elif single is None and listed is None:
        got = f"{display_name(group)} has neither an instanceType nor instanceRequirements"
        yield rule.finding(group.place, at="instance", got=got, remedy="say its instanceType, as in ml.p5.48xlarge")
    elif listed is UNKNOWN:
        yield rule.unjudged(group.place, f"the instance types of {display_name(group)}, not known before creation")
    elif listed is not None and not 1 <= len(listed) <= _MOST:
        got = f"{display_name(group)} lists {quantity_text(len(listed), 'instance type')}; the API takes 1 to {_MOST}"
        yield rule.finding(group.place, at="instance", got=got, remedy=f"list 1 to {_MOST} of them")


@rule(
    "hyperpod-instance-type-taken",
    title="HyperPod has the instance type",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="SageMaker has a list of its own, shorter than EC2's, and refuses CreateCluster with any other type. "
    "CloudFormation's schema takes any text, so nothing says so before.",
    source="SageMaker API, ClusterInstanceType (botocore 1.44.5)",
    remedy="Take a type of the list.",
    facts=("rules.md#58", "hardware.md#R19", "hardware.md#f3"),
)
def hyperpod_instance_type_taken(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, f"the instance type of {display_name(group)}, not known before creation")
        return
    for each in group.instance_types:
        if each not in hyperpod_types():
            near = nearest_types(each)
            known = "take a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)"
            yield rule.finding(
                group.place,
                at="instance",
                got=f"HyperPod has no {each}, which {display_name(group)} asks for",
                remedy=f"take {or_list(near)}, the nearest it has" if near else known,
            )


_KNOWN = tuple(each.value for each in Interface)


@rule(
    "hyperpod-interface-fits",
    title="A HyperPod group asks for EFA interfaces only where its types have EFA",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The kind of interface is efa, which HyperPod takes anyway, or efa-only, for instances with EFA. Others have "
    "nothing of the sort to attach, and the group is refused while the cluster is made.",
    source="SageMaker API, ClusterNetworkInterface; EC2 user guide, Elastic Fabric Adapter",
    remedy="Leave the interface out of groups without EFA.",
    facts=("rules.md#57", "rules.md#5", "rules.md#13", "hardware.md#R19"),
)
def hyperpod_interface_fits(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.interface"
    if group.interface is None:
        return
    if group.interface is UNKNOWN:
        yield rule.unjudged(group.place, f"the interfaces of {display_name(group)}, not known before creation")
        return
    if group.interface not in _KNOWN:
        got = f"{display_name(group)} asks for interfaces of the kind '{group.interface}'"
        yield rule.finding(group.place, at=at, got=got, remedy=f"write {or_list(_KNOWN)}, or leave it out")
    known, missing = machines(group)
    plain = [f"ml.{machine.instance}" for machine in known if not machine.max_efa]
    if plain:
        of = f"{and_list(plain)}, which {singular_or_plural(plain, 'has', 'have')} no EFA"
        got = f"{display_name(group)} asks for {group.interface} interfaces on {of}"
        yield rule.finding(group.place, at=at, got=got, remedy="leave the kind of interface out of this group")
    elif missing:
        yield rule.unjudged(group.place, missing)


_GRAVITON = re.compile(r"ml\.[a-z]+\d+g[a-z]*\.")
"""EC2's names: `g` behind the generation is AWS's own processor, which has one thread per core."""


@rule(
    "hyperpod-threads-per-core",
    title="A HyperPod group asks for one thread per core, or for two where the type has them",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API takes 1 and 2, and 1 alone for types without multithreading (Graviton, Grace): with 2 their instances "
    "never start.",
    source="SageMaker API, ClusterThreadsPerCore; EC2 API, DescribeInstanceTypes (VCpuInfo); EC2 user guide, instance "
    "type naming conventions",
    remedy="Take one thread per core.",
    facts=("rules.md#58", "hardware.md#R19"),
)
def hyperpod_threads_per_core(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    threads, at = group.threads_per_core, "hyperpod.threads-per-core"
    if threads is UNKNOWN:
        yield rule.unjudged(group.place, f"the threads per core of {display_name(group)}, not known before creation")
    elif threads not in (None, 1, 2):
        got = f"{display_name(group)} asks for {threads} threads per core; the API takes 1 and 2"
        yield rule.finding(group.place, at=at, got=got, remedy="write 1 or 2")
    elif threads not in (None, 1):
        known, missing = machines(group)
        single = [f"ml.{machine.instance}" for machine in known if machine.threads_per_core < threads]
        single += [each for each in types_of(group) if _GRAVITON.match(each)]
        if single:
            got = f"{display_name(group)} asks for 2 threads per core; {single[0]} has 1"
            yield rule.finding(group.place, at=at, got=got, remedy="write 1")
        elif missing:
            yield rule.unjudged(group.place, missing)
