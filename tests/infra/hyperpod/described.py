"""What the program registers of an edited description of a HyperPod cluster."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.validation import validate
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from tests.factories import REGION, A, edited
from tests.infra.registered import Registered

CLUSTER, PROVIDER = "aws-native:sagemaker:Cluster", "pulumi:providers:aws-native"

OTHER_ZONE = "subnet-0bbbbbbbbbbbbbbbb"
VPC = "vpc-0123456789abcdef0"
DOCUMENT: Mapping[str, Any] = {
    "backend": "hyperpod",
    "kubernetes": "1.35",
    "control-plane": "create",
    "api": "private",
    "network": {"existing": {"vpc": VPC, "private": {"us-west-2a": A, "us-west-2b": OTHER_ZONE}}},
    "groups": {
        "system": {"for": "system", "instance": "m5.2xlarge", "nodes": 2, "hyperpod": {"threads-per-core": 2}},
        "workers": {"for": "training", "instance": "p5.48xlarge", "nodes": 4, "zone": "us-west-2a"},
    },
    "addons": {"hyperpod": {"repository": "oci://registry.example.com/charts"}, "mpi-operator": {}},
}

THEIRS = "sg-0123456789abcdef0"
EXISTING: Mapping[str, Any] = {"name": "theirs", "security-group": THEIRS, "authentication": "api"}


def a_blueprint(edits: Mapping[str, Any] | None = None, region: str = REGION) -> Blueprint:
    """Two ml.m5.2xlarge for the system and four ml.p5.48xlarge in one zone, edited; stack `test`."""
    made, faults = validate(HyperPodCluster, edited(DOCUMENT, edits or {}))
    assert made is not None, faults
    return derive(made, "test", region)


def registered(
    edits: Mapping[str, Any] | None = None,
    *,
    preview: bool = False,
    config: Mapping[str, Any] | None = None,
    region: str = REGION,
    found: Mapping[str, Any] | None = None,
) -> Registered:
    """Runs the program on the description.

    Args:
        edits: dotted path -> value.
        preview: whether ids are unknown.
        config: the stack's own configuration beside the description.
        region: the stack's Region.
        found: what AWS says of a control plane that exists, beside what the description says.
    """
    from muster.deploy import deploy

    blueprint = a_blueprint(edits, region)

    def program() -> None:
        deploy(blueprint)

    recording = record(
        program,
        stack="test",
        region=region,
        config=config,
        preview=preview,
        existing_clusters={name: {**said, **(found or {})} for name, said in existing_clusters(blueprint).items()},
    )
    return Registered(recording)


def cluster_of(program: Registered) -> dict[str, Any]:
    """The inputs of the HyperPod cluster."""
    return dict(program.one(CLUSTER, "hyperpod").inputs)
