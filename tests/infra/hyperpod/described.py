"""What the program registers of an edited description of a HyperPod cluster."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.derive.cluster import derive
from tests.factories import REGION
from tests.factories.hyperpod import a_hyperpod_description
from tests.infra.registered import Registered, registered_of

CLUSTER, PROVIDER = "aws-native:sagemaker:Cluster", "pulumi:providers:aws-native"

THEIRS = "sg-0123456789abcdef0"


def registered(edits: Mapping[str, Any] | None = None, *, region: str = REGION, **more: Any) -> Registered:
    """Runs the program on the default description, edited, as `registered_of` does."""
    return registered_of(derive(a_hyperpod_description(edits), "test", region), **more)


def cluster_of(program: Registered) -> dict[str, Any]:
    """The inputs of the HyperPod cluster."""
    return dict(program.one(CLUSTER, "hyperpod").inputs)
