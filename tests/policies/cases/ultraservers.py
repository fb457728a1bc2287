"""UltraServers: their blocks, their plans, and the Kubernetes version."""

from typing import Any

from muster.config.description.capacity import HyperPodCapacity
from muster.fleet.resources import Fleet, InstanceGroup
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane
from tests.hyperpods import PLAN, a_hyperpod_fleet, an_instance_group
from tests.policies.capacity_blocks import NOW, described, theirs
from tests.policies.case import cases

GB200 = "p6e-gb200.36xlarge"
TEMPLATE = {"instance": GB200, "interfaces": ()}


def on_ultraserver(count: int, **more: Any) -> Fleet:
    """A group on the block of an UltraServer that its description knows."""
    return described(**{**NOW, "count": count}, template=TEMPLATE, nodes_max=count, **more)


# their blocks

cases(
    "ultraserver-block-is-whole",
    a_block_of_nine=lambda: on_ultraserver(9),
    a_block_of_ten=lambda: on_ultraserver(10),
)


# the Kubernetes version

cases(
    "ultraserver-kubernetes-version",
    kubernetes_1_33=lambda: theirs(a_control_plane("1.33"), template=TEMPLATE),
    kubernetes_1_32=lambda: theirs(a_control_plane("1.32"), template=TEMPLATE),
    a_version_not_yet_known=lambda: theirs(a_control_plane(UNKNOWN), template=TEMPLATE),
)


# the end of their blocks

cases(
    "ultraserver-block-left-in-time",
    a_managed_group=lambda: on_ultraserver(18),
    a_self_managed_group=lambda: on_ultraserver(18, managed=False),
)


# their training plans


def planned(
    count: int, nodes: int, instance: str = f"ml.{GB200}", ultraserver: str = "u-p6e-gb200x72"
) -> InstanceGroup:
    """Workers on a training plan of UltraServers."""
    plan = {"arn": PLAN, "zone": "us-west-2a", "count": count, "ultraserver": ultraserver}
    capacity = HyperPodCapacity.model_validate({"training-plan": plan})
    return an_instance_group(
        training_plan=PLAN, capacity=capacity, zone="us-west-2a", instance_type=instance, nodes_start=nodes
    )


cases(
    "ultraserver-has-type",
    a_plan_of_its_type=lambda: a_hyperpod_fleet(planned(18, 17)),
    a_plan_of_another_type=lambda: a_hyperpod_fleet(planned(18, 17, "ml.p5.48xlarge")),
    a_type_not_yet_known=lambda: a_hyperpod_fleet(planned(18, 17, UNKNOWN)),  # type: ignore[arg-type]
)
cases(
    "ultraserver-spare-instances",
    a_plan_with_a_spare=lambda: a_hyperpod_fleet(planned(18, 17)),
    a_plan_without_a_spare=lambda: a_hyperpod_fleet(planned(18, 18)),
)
