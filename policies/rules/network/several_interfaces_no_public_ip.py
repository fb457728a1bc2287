"""Public addresses on nodes with several interfaces."""

from collections.abc import Iterator

from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.parallelcluster import interfaces
from muster.unknown import UNKNOWN, if_known


@rule(
    "several-interfaces-no-public-ip",
    title="A node with several interfaces does not request a public IP address",
    judges=LaunchTemplate | ComputeResource,
    backends=IN_EC2,
    why="EC2 rejects a launch with more than one interface and AssociatePublicIpAddress.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-instance-addressing.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py",
        "https://karpenter.sh/docs/concepts/nodeclasses/",
    ),
    remedy="Set associatePublicIpAddress to false and reach the nodes through NAT.",
    facts=("rules.md#9", "hardware.md#R4", "pains.md#16"),
)
def several_interfaces_no_public_ip(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the setting of its queue, which requests the address for the first interface."""
    if group.public_ip in (None, False):
        return
    machines, missing = known_machines(group, fleet), pair_of(lambda: machines_of(group, fleet))[1]
    counts = {machine.instance: if_known(lambda: interfaces(group, machine), UNKNOWN) for machine in machines}
    several = {instance: count for instance, count in counts.items() if count is not UNKNOWN and count > 1}
    if several and group.public_ip is True:
        instance, count = min(several.items())
        got = f"AssignPublicIp is true, but {instance} has {quantity_text(count, 'interface')}"
        yield rule.finding(group.place, got, "set AssignPublicIp to false, and reach the nodes through NAT")
    elif several or missing or UNKNOWN in counts.values():
        what = missing or "AssignPublicIp and the number of interfaces (known only after `pulumi up`)"
        yield rule.unjudged(group.place, what)


def _of_template(template: LaunchTemplate, rule: Rule) -> Iterator[Verdict]:
    if template.interfaces is UNKNOWN:
        yield rule.unjudged(template.place, "the network interfaces (known only after `pulumi up`)")
        return
    if len(template.interfaces) <= 1:
        return
    asking = [nic.label for nic in template.interfaces if nic.public_ip is True]
    if asking:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"the template has {quantity_text(len(template.interfaces), 'interface')}, but {and_list(asking)} "
            f"{singular_or_plural(asking, 'requests', 'request')} a public IP address",
            remedy=f"set associatePublicIpAddress to false for {and_list(asking)}",
        )
    elif any(nic.public_ip is UNKNOWN for nic in template.interfaces):
        yield rule.unjudged(template.place, "whether an interface requests a public IP address")
