"""Programs that keep many rules."""

from tests.factories import facts
from tests.policies.programs.pairs import keeps
from tests.policies.programs.world import a_template, a_world, workers


@keeps(
    "api-networks-stated",
    "control-plane-two-zones",
    "efa-single-zone",
    "efa-used-fully",
    "group-has-subnet",
    "kubernetes-standard-support",
    "kubernetes-version-supported",
    "nodes-in-order",
    "one-efa-per-card",
    "primary-interface-present",
    "several-interfaces-private-subnets",
    "subnet-holds-all-nodes",
    "subnet-holds-nodes",
    "vpc-cni-supports-efa",
    "zone-in-region",
)
@keeps("kubernetes-version-offered", facts=facts(kubernetesVersions={"1.35": {"offered": True}}))
def workers_on_a_template() -> None:
    world = a_world()
    workers(world, a_template(world))
