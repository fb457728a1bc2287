"""Instance types of HyperPod groups, their interfaces and threads."""

from collections.abc import Iterator

from muster.config.description.instance_group import Interface
from muster.edits import remove, set_to
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.hyperpod_types import ML, ec2_names, hyperpod_types, nearest_types
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name, machines


def hyperpod_instance_type_taken(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in group.instance_types:
        if each not in hyperpod_types():
            near = nearest_types(each)
            known = "a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)"
            words = "(the nearest that HyperPod offers)" if near else known
            # The list grows, but every name in it begins with `ml.`.
            yield (rule.advice if each.startswith(ML) else rule).finding(
                group,
                "instance",
                got=f"{display_name(group)} requests {each}, which HyperPod does not offer",
                change=set_to(*ec2_names(near), words=words, in_program=near),
            )


_KNOWN = tuple(each.value for each in Interface)


def hyperpod_interface_fits(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.interface is None:
        return
    if group.interface not in _KNOWN:
        got = f"{display_name(group)} has interface type '{group.interface}', which HyperPod does not know"
        yield rule.advice.finding(group, "hyperpod.interface", got=got, change=(set_to(*_KNOWN), remove()))
    for machine in machines(group):
        if not machine.max_efa:
            got = f"{display_name(group)} requests {group.interface} interfaces on ml.{machine.instance} without EFA"
            yield rule.finding(group, "hyperpod.interface", got=got, change=remove())
