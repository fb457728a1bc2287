"""What a description becomes: what only few of its words decide."""

from typing import Any

import pytest
from botocore.loaders import Loader

from muster.blueprint.hyperpod.node_labels import identity_labels
from muster.config.description.control_plane import AuthenticationMode
from muster.fleet.resources import AccessEntry, AccessPolicyGrant
from tests.factories import DROP, SG, a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint


@pytest.mark.parametrize(("instance", "addresses"), [("p5.48xlarge", 1), ("g6.48xlarge", 1), ("m5.8xlarge", 1)])
def test_efa_only_interfaces_take_no_address_in_slurm(instance: str, addresses: int) -> None:
    """A node takes one for each interface that carries IP, whatever it runs."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    (node,) = (each.node for each in queue.groups)
    assert (node.addresses.working, node.addresses.most) == (addresses, addresses)


@pytest.mark.parametrize(("name", "cluster"), [(None, "tested"), ("other", "other")])
def test_an_instance_group_has_the_labels_that_hyperpod_sets(name: str | None, cluster: str) -> None:
    """Of its own cluster's name, which is that of the EKS cluster unless it has another."""
    blueprint = a_hyperpod_blueprint({"name": "tested", **({"hyperpod.name": name} if name else {})})
    assert identity_labels(blueprint, "workers") == {
        "sagemaker.amazonaws.com/compute-type": "hyperpod",
        "sagemaker.amazonaws.com/cluster-name": cluster,
        "sagemaker.amazonaws.com/instance-group-name": "workers",
    }


@pytest.mark.parametrize(
    ("instance", "offers"),
    [
        ("p5.48xlarge", {"gres/gpu": 8, "efa": 32}),
        ("trn1.32xlarge", {"neuron": 16, "efa": 8}),
        ("m5.8xlarge", {}),
    ],
)
def test_what_a_job_of_slurm_can_ask_for(instance: str, offers: dict[str, int]) -> None:
    """The accelerators of its type, by their kind, and EFA."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    assert [each.node.offers for each in queue.groups] == [offers]


NAMED = {"name": "ours", "security-group": SG}


@pytest.mark.parametrize(
    ("said", "mode"),
    [("api", "API"), ("api-and-config-map", "API_AND_CONFIG_MAP"), ("config-map", "CONFIG_MAP")],
)
def test_how_a_cluster_that_exists_lets_people_in_is_said_as_eks_says_it(said: str, mode: str) -> None:
    """`AuthenticationMode` of EKS's API has these three; one that is made takes access entries alone."""
    plane = {"existing": {**NAMED, "authentication": said}}
    existing = a_blueprint({"control-plane": plane, "api": DROP}).cluster
    assert (existing.name, existing.authentication) == ("ours", mode)
    shape = Loader().load_service_model("eks", "service-2")["shapes"]["AuthenticationMode"]
    assert mode in shape["enum"]
    assert len(shape["enum"]) == len(AuthenticationMode)
    assert a_blueprint().cluster.authentication == "API"


@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint])
def test_a_principal_has_one_access_entry(make: Any) -> None:
    """With the groups of all its items: EKS takes one entry of a principal, and each policy of it once."""
    first, second = (f"arn:aws:iam::210987654321:role/{name}" for name in ("b", "a"))
    access = [
        {"principal": first, "policy": "view", "groups": ["x"]},
        {"principal": second, "policy": "edit"},
        {"principal": first, "policy": "edit", "namespaces": ["n"], "groups": ["w", "x"]},
    ]
    found = make({"access": access}).access
    assert {each.principal: each.groups for each in found if isinstance(each, AccessEntry)} == {
        first: ("w", "x"),
        second: (),
    }
    assert [each.ref.name.rpartition("/")[2] for each in found if isinstance(each, AccessPolicyGrant)] == [
        "b-view",
        "a-edit",
        "b-edit",
    ]
