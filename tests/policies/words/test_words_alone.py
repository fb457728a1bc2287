"""Words of one rule about what no case shows whole: plurals, lists that are empty, the choice of which one is named.

Whoever is only asked for one rule need not say what others find in the same fleet.
"""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.resources import Fleet, Mount, Place
from policies.catalogue import rule_of
from policies.judgement import judge
from tests.factories import a_fleet, a_subnet, described
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.security import AWS_POLICY, role
from tests.slurms import APPS, a_head, a_pcluster, a_resource, a_slurm_fleet

POLICIES = Path(__file__).resolve().parents[3] / "policies"
OPEN = [a_subnet(f"subnet-open-{index}", map_public_ip=True) for index in (1, 2)]


def without_subnets(fleet: Fleet) -> Fleet:
    return replace(fleet, subnets={})


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
]


@pytest.mark.parametrize(("rule", "fleet", "got", "remedy"), WORDS, ids=[each[0] for each in WORDS])
def test_words_of_one_rule(rule: str, fleet: Fleet, got: str, remedy: str) -> None:
    """What it found and what to do, word by word."""
    found = judge(fleet, rules=[rule_of(rule)]).findings
    assert [(each.got, each.remedy) for each in found] == [(got, remedy)]


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


AGREEING = {
    ("does", "do"),
    ("has", "have"),
    ("has no way out", "have no way out"),
    ("is", "are"),
    ("is a public subnet", "are public subnets"),
    ("it", "both"),
    ("its links", "the links of each"),
    ("the zone that does", "a zone that does"),
}
"""Words for one thing and for several that no ending tells."""


def test_words_for_one_and_for_several_belong_together() -> None:
    """A verb loses its s, a thing gains one."""
    calls = [
        tuple(ast.literal_eval(word) for word in node.args[1:])
        for file in sorted(POLICIES.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "agree"
    ]
    assert len(calls) > 20
    assert [
        (one, many)
        for one, many in calls
        if (one, many) not in AGREEING and one not in (f"{many}s", f"{many}es") and many != f"{one}s"
    ] == []
