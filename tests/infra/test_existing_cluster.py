"""A control plane that exists: what is not as described is refused before anything is registered."""

from typing import Any

import pytest

from muster.fleet.resources import ref as types
from tests.factories import DROP
from tests.infra.hyperpod import described as hyperpod
from tests.infra.registered import registered

EXISTING = {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api-and-config-map"}
PLANE = {"control-plane": {"existing": EXISTING}, "api": DROP}
JOINING = {**PLANE, "groups.system": DROP}


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize(
    ("program", "what", "theirs", "where"),
    [
        (registered, "authenticationMode", "CONFIG_MAP", "control-plane.existing.authentication"),
        (registered, "securityGroup", "sg-0fedcba9876543210", "control-plane.existing.security-group"),
        (registered, "vpc", "vpc-0fedcba9876543210", "network.existing.vpc"),
        # Kubernetes' version skew policy: nodes are no newer than the cluster, and at most three versions older.
        (registered, "version", "1.34", "kubernetes"),
        (registered, "version", "1.39", "kubernetes"),
        # HyperPod's nodes have the cluster's version, which HyperPod may not take.
        *((hyperpod.registered, "version", theirs, "kubernetes") for theirs in ("1.34", "1.36", "1.38")),
    ],
)
def test_what_is_not_as_described_is_refused(
    program: Any, what: str, theirs: str, where: str, *, preview: bool
) -> None:
    """With what AWS says, and what to write. In a preview, too: AWS is asked at once."""
    edits = JOINING if program is registered else PLANE
    with pytest.raises(Exception, match=f"^{where}: .*{theirs}") as refusal:
        program(edits, found={what: theirs}, preview=preview)
    assert str(refusal.value).endswith(f"\n  fix: write {theirs}")


@pytest.mark.parametrize("theirs", ["1.35", "1.36", "1.38"])
def test_a_cluster_may_be_ahead_of_its_nodes(theirs: str) -> None:
    """Its owner upgrades it first; the outputs say what it is, the nodes stay as they are."""
    program = registered(JOINING, found={"version": theirs})
    assert program.outputs["cluster"]["version"] == theirs
    assert {each.inputs["version"] for each in program.all if each.type == types.NODE_GROUP} == {"1.35"}
