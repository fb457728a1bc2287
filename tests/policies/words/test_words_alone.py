"""Words of one rule about what no case shows whole: plurals, lists that are empty, the choice of which one is named.

Whoever is only asked for one rule need not say what others find in the same fleet.
"""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.resources import Addon, CapacityTarget, Fleet, Mount, Place, Placement, PlacementGroup, Ref
from muster.fleet.resources.ref import PLACEMENT_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import NOW, REGION, A, B, a_control_plane, a_fleet, a_subnet, described, facts
from tests.hyperpods import a_bundle, a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies import capacity_blocks
from tests.policies.addons import an_addon
from tests.policies.case import all_cases
from tests.policies.security import AWS_POLICY, EXPORTED, output, role
from tests.slurms import APPS, a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet

OPEN = [a_subnet(f"subnet-open-{index}", map_public_ip=True) for index in (1, 2)]


def without_subnets(fleet: Fleet) -> Fleet:
    return replace(fleet, subnets={})


def with_files(number: int) -> Fleet:
    """A bucket without the script that is asked for, and with so many others."""
    return a_hyperpod_fleet(a_bundle(files=frozenset(f"{index}.sh" for index in range(number))))


def placed_in(strategy: str) -> Fleet:
    """Nodes without EFA in two zones, in a placement group that the program makes."""
    ours = PlacementGroup(Ref(PLACEMENT_GROUP, "ours"), "ours", strategy, Place("urn:ours"))
    two_zones = {"subnets": (A, B), "instances": ("m5.2xlarge", "c5.2xlarge"), "flexible": True}
    nodes = a_resource(efa=False, placement=Placement(name=ours.ref), **two_zones)
    return a_slurm_fleet(a_queue(subnets=(A, B)), nodes, ours)


WORDS = [
    (
        "group-has-subnet",
        without_subnets(a_slurm_fleet(a_head(subnet=None))),
        "the network lists no subnet for the head node",
        "name a zone that has one (zone), or the other kind (subnets)",
    ),
    (
        "hyperpod-network-limits",
        a_hyperpod_fleet(an_instance_group(security_groups=(), own_network=True, place=Place("urn:workers"))),
        "workers has no security group",
        "name a security group in overrideVpcConfig",
    ),
    (
        "hyperpod-private-subnets",
        a_hyperpod_fleet(an_instance_group(subnets=tuple(each.id for each in OPEN)), subnets=OPEN),
        "workers is in subnet-open-1 and subnet-open-2, which give public IP addresses to what launches there",
        "name private subnets",
    ),
    (
        "node-role-narrow",
        a_fleet(role(f"{AWS_POLICY}/service-role/AmazonElasticFileSystemFullAccess")),
        "nodes have AmazonElasticFileSystemFullAccess",
        "attach a policy with the actions and resources that nodes need",
    ),
    (
        "efa-used-fully",
        a_slurm_fleet(a_resource(instances=("p5.48xlarge", "p4d.24xlarge"), efa=False)),
        "0 of the 4 EFA interfaces of p4d.24xlarge",
        "leave efa out, or write efa: true",
    ),
    (
        "parallelcluster-shared-volume-serves-fleet",
        a_slurm_fleet(
            a_pcluster(mounts=(APPS, Mount("more", "/more", "Ebs", gib=200))), a_resource(nodes_min=0, nodes_max=2000)
        ),
        "apps and more are exported by the head node to 2000 nodes",
        "keep programs there, and data and checkpoints on FSx for Lustre",
    ),
    (
        "hyperpod-chart-before-cluster",
        a_hyperpod_fleet(a_hyperpod(place=Place("urn:hyperpod")), without=(Addon,)),
        "HyperPod's chart is not among what is installed before ml-cluster",
        "install helm_chart/HyperPodHelmChart of aws/sagemaker-hyperpod-cli, and have the cluster depend on it",
    ),
    (
        "hyperpod-chart-before-cluster",
        a_hyperpod_fleet(without=(Addon,)),
        "HyperPod's chart is not among what is installed before ml-cluster",
        "add the chart: `hyperpod: {repository: ...}` below addons",
    ),
    (
        "lifecycle-script-in-bundle",
        with_files(4),
        "workers runs on_create.sh, which is not in lifecycle/workers: the bucket holds 0.sh, 1.sh, 2.sh, 3.sh",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycle-script-in-bundle",
        with_files(5),
        (
            "workers runs on_create.sh, which is not in lifecycle/workers: the bucket holds 0.sh, 1.sh, 2.sh, 3.sh and "
            "1 more"
        ),
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "instance-type-catalogued",
        a_hyperpod_fleet(an_instance_group(instance_type="ml.p5.48xlarg")),
        "ml.p5.48xlarg is not catalogued; did you mean 'ml.p5.48xlarge'?",
        "check the name (`muster hardware` lists the types), or add its row to the catalogue",
    ),
    (
        "instance-type-catalogued",
        a_slurm_fleet(a_resource(instances=("p5.48xlarg",))),
        "p5.48xlarg is not catalogued; did you mean 'p5.48xlarge'?",
        "check the name (`muster hardware` lists the types), or add its row to the catalogue",
    ),
    *(
        (
            "capacity-block-length",
            capacity_blocks.described(starts="2026-12-01", ends=ends),
            got,
            "check both dates: a block lasts 1 to 182 days, with every extension",
        )
        for ends, got in (
            ("2026-11-30", "ends on 2026-11-30, and starts on 2026-12-01"),
            ("2026-12-01", "ends on 2026-12-01, and starts on 2026-12-01"),
            ("2027-06-02", "from 2026-12-01 to 2027-06-02: 183 days"),
        )
    ),
    (
        "placement-group-one-zone",
        placed_in("cluster"),
        "cluster placement group ours and subnets in us-west-2a and us-west-2b",
        "give it one zone (zones: [us-west-2a]), or take the placement group out",
    ),
]


@pytest.mark.parametrize(("rule", "fleet", "got", "remedy"), WORDS, ids=[each[0] for each in WORDS])
def test_words_of_one_rule(rule: str, fleet: Fleet, got: str, remedy: str) -> None:
    """What it found and what to do, word by word."""
    found = judge(fleet, rules=[rule_of(rule)]).findings
    assert [(each.got, each.remedy) for each in found] == [(got, remedy)]


def on_a_block(**template: Any) -> Fleet:
    """Another team's group, scheduled to 0 nodes, on a block of which nobody says when it ends."""
    group = {"managed": False, "capacity_type": None, "zero_at": ("2026-11-28T10:00:00Z",)}
    return capacity_blocks.theirs(facts=capacity_blocks.known("end"), template=template, **group)


@pytest.mark.parametrize(
    ("template", "block"),
    [({}, "Capacity Block cr-0123456789abcdef0"), ({"target": CapacityTarget()}, "its Capacity Block")],
)
def test_whose_end_is_not_known(template: dict[str, Any], block: str) -> None:
    """The block by its name, where anybody says one."""
    judgement = judge(on_a_block(**template), rules=[rule_of("capacity-block-drained")])
    missing = f"when {block} ends (`muster schema facts` shows the form)"
    assert [(each.resource, each.missing) for each in judgement.not_evaluated] == [("groups.workers", missing)]
    assert not judgement.findings


COMMANDS = {
    "access-entries-taken",
    "existing-cluster-active",
    "existing-cluster-as-declared",
    "image-parameter-exists",
    "named-things-exist",
    "vpc-resolves-names",
}
"""The rules with a command for people to run."""


def _nowhere(words: str) -> str:
    """As they are where nobody says the Region."""
    for named, left in (
        (f" --region {REGION}", ""),
        (f" of this account in {REGION}", " of this account"),
        (f"{REGION} has no", "the Region has no"),
    ):
        words = words.replace(named, left)
    return words


def test_a_command_names_the_region_where_there_is_one() -> None:
    """In every case; without one the words are the same but for it."""
    asked, naming = [rule_of(each) for each in sorted(COMMANDS)], set()
    for one in all_cases():
        fleet = one.fleet()
        there, nowhere = (
            {(each.rule, each.got, each.remedy) for each in judge(replace(fleet, region=where), rules=asked).findings}
            for where in (REGION, None)
        )
        assert {(rule, _nowhere(got), _nowhere(remedy)) for rule, got, remedy in there} == nowhere, one.name
        naming |= {rule for rule, _, remedy in there if f" --region {REGION}" in remedy}
    assert naming == COMMANDS


@pytest.mark.parametrize("strategy", ["spread", "partition"])
def test_only_a_cluster_placement_group_is_of_one_zone(strategy: str) -> None:
    """The others are there to keep instances apart."""
    judgement = judge(placed_in(strategy), rules=[rule_of("placement-group-one-zone")])
    assert not judgement.findings
    assert not judgement.not_evaluated


@pytest.mark.parametrize("instance", [UNKNOWN, None])
def test_where_a_type_that_nobody_knows_is_offered_nobody_is_asked(instance: Any) -> None:
    """Other rules ask for the type."""
    offered = facts(observed=NOW, offerings={"p5.48xlarge": ["us-west-2a"]})
    judgement = judge(a_slurm_fleet(a_head(instance=instance), known=offered), rules=[rule_of("type-offered-in-zone")])
    assert not judgement.findings
    assert not judgement.not_evaluated


def test_a_drivers_values_are_where_it_is_found() -> None:
    """In a description, which has a line for them."""
    driver = replace(an_addon("aws-dranet"), place=Place("addons.charts.dra"))
    karpenter = a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True)
    fleets = [a_hyperpod_fleet(karpenter, driver), a_fleet(a_control_plane("1.33"), driver)]
    found = [judge(each, rules=[rule_of("dra-driver-supported")]).findings for each in fleets]
    assert [[each.where for each in one] for one in found] == [["addons.charts.dra.values"]] * 2


@pytest.mark.parametrize("value", ["", None])
def test_an_output_of_nothing_lets_nobody_in(value: str | None) -> None:
    """Whatever it is called."""
    judgement = judge(a_fleet(output("kubeconfig", value), output("token", value)), rules=[rule_of(EXPORTED)])
    assert not judgement.findings
    assert not judgement.not_evaluated


def with_plugins(**values: Any) -> Fleet:
    return described({"addons": {name.replace("_", "-"): {"values": value} for name, value in values.items()}})


@pytest.mark.parametrize("values", [{"nodeSelector": "gpus"}, {"tolerations": ["gpus"]}])
def test_where_pods_may_be_has_a_form(values: dict[str, Any]) -> None:
    """Each of what says so by itself."""
    rule = rule_of("addon-values-have-a-form")
    found = judge(with_plugins(efa_device_plugin=values, nvidia_device_plugin={}), rules=[rule]).findings
    assert [each.where for each in found] == ["addons.efa-device-plugin.values"]


def test_a_plugin_that_cannot_be_read_hides_no_other() -> None:
    """Whether a chart of which nobody can read the values offers EFA is not to be told."""
    fleet = with_plugins(nvidia_device_plugin={"tolerations": ["gpus"]})
    judgement = judge(fleet, rules=[rule_of("group-has-its-device-plugin")])
    missing = "the values of nvidia-device-plugin, which have not the form that the chart takes"
    assert [(each.resource, each.missing) for each in judgement.not_evaluated] == [("groups.workers", missing)]
    assert not judgement.findings
