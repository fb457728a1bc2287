"""FSx for Lustre with HyperPod's instances as its clients: who reaches it, where it is, and what pods mount."""

from muster.blueprint.logical_names import CLUSTER_REF
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.infra.hyperpod.test_order import LUSTRE
from tests.infra.registered import Registered

RULES = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "from",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "to",
}


def allowed(program: Registered, owner: str, peer: str) -> set[tuple[str, int | None, int | None]]:
    """What one group lets pass with another, by its own rules."""
    return {
        (RULES[each.type], each.inputs.get("fromPort"), each.inputs.get("toPort"))
        for each in program.all
        if each.type in RULES
        and (each.inputs["securityGroupId"], each.inputs.get("referencedSecurityGroupId")) == (owner, peer)
    }


def test_the_blueprint_says_so_too() -> None:
    """EKS's own group is what HyperPod's instances and the file system's rules have in common."""
    blueprint = a_hyperpod_blueprint({"storage": {"scratch": LUSTRE}})
    (storage,) = blueprint.storage
    assert storage.security_group is not None
    assert {each.peer for each in storage.security_group.allows} == {storage.security_group.ref, CLUSTER_REF}
    for group in blueprint.instance_groups:
        assert CLUSTER_REF in group.instance_group.security_groups
