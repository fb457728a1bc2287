"""A control plane that exists: what is not as described is refused before anything is registered."""

import pytest

from muster.fleet.resources import ref as types
from tests.factories import DROP
from tests.infra.registered import registered

GROUP = "sg-0123456789abcdef0"
EXISTING = {"name": "theirs", "security-group": GROUP, "authentication": "api-and-config-map"}
JOINING = {"control-plane": {"existing": EXISTING}, "api": DROP, "groups.system": DROP}
VPC = "vpc-0123456789abcdef0"


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize(
    ("what", "where", "ours", "theirs"),
    [
        ("authenticationMode", "control-plane.existing.authentication", "API_AND_CONFIG_MAP", "CONFIG_MAP"),
        ("securityGroup", "control-plane.existing.security-group", GROUP, "sg-0fedcba9876543210"),
        ("vpc", "network.existing.vpc", VPC, "vpc-0fedcba9876543210"),
    ],
)
def test_what_is_not_as_described_is_refused(what: str, where: str, ours: str, theirs: str, *, preview: bool) -> None:
    """In a preview, too: AWS is asked at once."""
    with pytest.raises(Exception, match="the description sets") as refusal:
        registered(JOINING, found={what: theirs}, preview=preview)
    said = f"{where}: the description sets {ours}, but AWS reports {theirs} for cluster theirs"
    assert str(refusal.value) == f"{said}\n  fix: write {theirs}"


@pytest.mark.parametrize(
    ("theirs", "what"),
    [("1.34", "newer than the cluster"), ("1.39", "more than 3 minor versions older than the cluster")],
)
def test_nodes_that_the_cluster_does_not_take_are_refused(theirs: str, what: str) -> None:
    """Kubernetes' version skew policy."""
    with pytest.raises(Exception, match=r"^kubernetes: ") as refusal:
        registered(JOINING, found={"version": theirs})
    said = f"kubernetes: nodes with 1.35 are {what}: AWS reports {theirs} for theirs"
    assert str(refusal.value) == f"{said}\n  fix: write {theirs}"


@pytest.mark.parametrize("theirs", ["1.35", "1.36", "1.38"])
def test_a_cluster_may_be_ahead_of_its_nodes(theirs: str) -> None:
    """Its owner upgrades it first; the outputs say what it is, the nodes stay as they are."""
    program = registered(JOINING, found={"version": theirs})
    assert program.outputs["cluster"]["version"] == theirs
    assert {each.inputs["version"] for each in program.all if each.type == types.NODE_GROUP} == {"1.35"}
