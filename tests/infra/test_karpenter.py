"""Groups whose nodes Karpenter creates: the whole of their objects, and the law on every kind of capacity."""

import json
from typing import Any

import pytest

from muster.blueprint.karpenter import controller_policy
from muster.config.description.karpenter_cross_field import karpenter_faults
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import EC2_NODE_CLASS, NODE_POOL
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import differences
from tests.factories import CR, a_blueprint, a_document, edited
from tests.offline.test_law import both_readings, contradictions, recorded
from tests.strategies import ACCOUNT, Described

KARPENTER = {"groups.workers.provisioned-by": "karpenter", "groups.workers.nodes": 4, "addons.karpenter": {}}
HELD = {"zone": "us-west-2a", "count": 4}
DATES = {"starts": "2026-12-01", "ends": "2026-12-15"}
RESERVATION = {"reservation": {"id": CR, "provided-by": "you", **HELD}}
BLOCK = {"capacity-block": {"id": CR, **HELD, **DATES}}
OFFERING = "cb-0123456789abcdef0"
BOUGHT = {
    "capacity-block": {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "ada"}}, **HELD, **DATES}
}


def described(**edits: Any) -> Described:
    """A cluster whose workers Karpenter creates; keys of the workers are written with underscores."""
    own = {f"groups.workers.{key.replace('_', '-')}": value for key, value in edits.items()}
    return Described(edited(a_document(), {**KARPENTER, **own}), "us-west-2")


def objects(**edits: Any) -> dict[str, Registration]:
    """What is registered of Karpenter's kinds, by kind."""
    _, recording = recorded(described(**edits), preview=False)
    return {each.type.rpartition(":")[2]: each for each in recording.registrations if "karpenter." in each.type}


def test_karpenter_knows_the_huge_pages_of_the_type() -> None:
    assert objects()["NodeOverlay"].inputs["spec"] == {
        "requirements": [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["p5.48xlarge"]}],
        "capacity": {"hugepages-2Mi": "10256Mi"},
    }
    assert "NodeOverlay" not in objects(huge_pages="0MiB")


CAPACITIES: dict[str, Any] = {
    "on-demand": {"zone": "us-west-2a"},
    "spot": {"zone": "us-west-2a", "capacity": {"spot": {"interruptions-accepted": True}}},
    "a reservation": {"capacity": RESERVATION},
    "a Capacity Block": {"capacity": BLOCK},
    "a block to buy": {"capacity": BOUGHT},
    "no EFA, two zones": {"interfaces": "plain", "for": "inference", "capacity": "on-demand"},
    "Bottlerocket": {"capacity": RESERVATION, "image": "bottlerocket"},
    "an image by id": {"capacity": RESERVATION, "image": {"custom": {"id": "ami-0123456789abcdef0"}}},
    "an image by parameter": {"capacity": RESERVATION, "image": {"custom": {"ssm": "/teams/ml/images/2026-11"}}},
    "own security groups": {"capacity": RESERVATION, "security_groups": ["sg-0123456789abcdef0"]},
    "a former name": {"capacity": RESERVATION, "was": "gpus"},
}


@pytest.mark.parametrize("edits", CAPACITIES.values(), ids=CAPACITIES)
def test_what_is_registered_is_what_was_derived(edits: dict[str, Any]) -> None:
    """Known ids give exactly the blueprint; a preview says nothing else."""
    cluster = described(**edits)
    blueprint, recording = recorded(cluster, preview=False)
    registered, derived = both_readings(blueprint, recording, cluster)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    seen, meant = both_readings(*recorded(cluster, preview=True), cluster)
    assert contradictions(seen, meant) == []
    assert set(judge(seen).findings) <= set(judge(meant).findings)


def test_objects_come_after_the_chart_and_what_nodes_need() -> None:
    """`destroy` goes the other way: Karpenter still runs, and the role exists, while the last node ends."""
    _, recording = recorded(described(capacity=RESERVATION), preview=False)
    by_urn = {each.urn: each for each in recording.registrations}

    def before(urn: str) -> set[str]:
        found: set[str] = set()
        waiting = [urn]
        while waiting:
            for each in by_urn[waiting.pop()].dependencies:
                if each not in found and each in by_urn:
                    found.add(each)
                    waiting.append(each)
        return {by_urn[each].type for each in found}

    (pool,) = [each.urn for each in recording.registrations if each.type == NODE_POOL]
    (node_class,) = [each.urn for each in recording.registrations if each.type == EC2_NODE_CLASS]
    assert EC2_NODE_CLASS in before(pool)
    assert before(node_class) >= {
        "kubernetes:helm.sh/v3:Release",
        "aws:eks/accessEntry:AccessEntry",
        "aws:iam/instanceProfile:InstanceProfile",
        "aws:ec2/placementGroup:PlacementGroup",
    }


def test_the_controller_may_pass_only_the_roles_of_its_nodes() -> None:
    """IAM limits all inline policies of a role to 10,240 characters, without spaces."""
    edits = {**KARPENTER, "groups.workers.image": {"custom": {"ssm": "/teams/ml/image"}}, "name": "x" * 40}
    text = controller_policy(a_blueprint(edits), ACCOUNT, ["arn:aws:iam::1:role/a"], "arn:aws:sqs:us-west-2:1:q")
    assert len(text.replace(" ", "")) < 10_240
    by_action = {action: each for each in json.loads(text)["Statement"] for action in each["Action"]}
    assert by_action["iam:PassRole"]["Resource"] == ["arn:aws:iam::1:role/a"]
    own = f"arn:aws:ssm:us-west-2:{ACCOUNT}:parameter/teams/ml/image"
    assert by_action["ssm:GetParameter"]["Resource"][1:] == [own]
    anywhere = {action for action, each in by_action.items() if each["Resource"] == ["*"]}
    assert all(action.split(":")[1].startswith(("Describe", "Get", "List")) for action in anywhere)


@pytest.mark.parametrize(("version", "faults"), [(None, 1), ("1.14.1", 1), ("1.15.0", 0)])
def test_claims_of_pods_need_karpenter_1_15(version: str | None, faults: int) -> None:
    """Before, Karpenter ignores claims when it creates nodes (EKS user guide, device-management)."""
    addons = {"karpenter": {"version": version} if version else {}, "nvidia-dra-driver": {}}
    document = edited(a_document(), {**KARPENTER, "addons": addons})
    assert len([each for each in karpenter_faults(document) if each[0][-1] == "provisioned-by"]) == faults
