"""Public addresses on nodes with several interfaces."""

from collections.abc import Iterator
from functools import partial

from muster.edits import set_to
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate, NetworkInterface
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.machines import several_interfaces
from muster.unknown import all_of, any_of, if_known


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
    if all_of(lambda: bool(group.public_ip), lambda: bool(several_interfaces(group, fleet))):
        instance, count = min(several_interfaces(group, fleet).items())
        got = f"AssignPublicIp is true, but {instance} has {count_noun(count, 'interface')}"
        yield rule.finding(group, "Networking.AssignPublicIp", got=got, change=set_to(False))


def _of_template(template: LaunchTemplate, rule: Rule) -> Iterator[Verdict]:
    nics = template.interfaces
    if len(nics) > 1 and any_of(*(partial(_asks, nic) for nic in nics)):
        asking = [nic.label for nic in nics if if_known(partial(_asks, nic))]
        yield rule.finding(
            template,
            "interfaces",
            got=f"the template has {count_noun(len(nics), 'interface')}, but {and_list(asking)} "
            f"{singular_or_plural(asking, 'requests', 'request')} a public IP address",
            change=set_to(False, at="associatePublicIpAddress", words=f"for {and_list(asking)}"),
        )


def _asks(nic: NetworkInterface) -> bool:
    return nic.public_ip is True
