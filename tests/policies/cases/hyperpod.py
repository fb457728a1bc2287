"""HyperPod clusters, and the EKS cluster below them."""

from muster.fleet.resources import (
    Place,
    Ref,
)
from muster.policies.views.addons import RELEASE
from muster.unknown import UNKNOWN
from tests.factories import (
    a_control_plane,
    elsewhere,
)
from tests.factories.hyperpod_fleets import (
    PLAN,
    a_chart,
    a_hyperpod,
    a_hyperpod_fleet,
    an_instance_group,
    joined,
    on_existing,
)
from tests.policies.case import cases

SCALED = a_hyperpod(autoscaler="Karpenter", provisioning="Continuous", has_cluster_role=True)

THEIRS = elsewhere(a_chart(Ref(RELEASE, "hyperpod-chart")), "hyperpod-chart")


# how the cluster is run


cases(
    # Rules about EKS have nothing to say.
    # AWS announced it in May 2026.
    karpenter_with_a_group_of_deep_checks=lambda: a_hyperpod_fleet(
        SCALED, an_instance_group(deep_checks=frozenset({"InstanceStress"}))
    ),
    karpenter_with_another_group_that_it_can_scale=lambda: a_hyperpod_fleet(
        SCALED, an_instance_group(training_plan=PLAN), an_instance_group("others")
    ),
    karpenter_where_checks_are_not_yet_known=lambda: a_hyperpod_fleet(SCALED, an_instance_group(deep_checks=UNKNOWN)),
    karpenter_alone=lambda: a_hyperpod_fleet(a_hyperpod(autoscaler="Karpenter", node_recovery="None")),
    autoscaling_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(autoscaler=UNKNOWN)),
)


# the control plane


cases(
    an_eks_cluster_of_config_maps=lambda: a_hyperpod_fleet(a_control_plane(authentication="CONFIG_MAP", name="ml")),
    an_eks_cluster_whose_mode_is_not_yet_known=lambda: a_hyperpod_fleet(a_control_plane(authentication=UNKNOWN)),
    kubernetes_1_29=lambda: a_hyperpod_fleet(a_control_plane("1.29", authentication="API", name="ml")),
    kubernetes_that_eks_chooses=lambda: a_hyperpod_fleet(a_control_plane(None, authentication="API", name="ml")),
    a_second_hyperpod_cluster=lambda: a_hyperpod_fleet(a_hyperpod("second", name="second", place=Place(""))),
    on_one_of_which_nobody_said_so=lambda: on_existing(
        known=joined(hyperpodClusters=None, hyperpodChart=None, eksAddons=None)
    ),
    on_one_with_an_old_cni=lambda: on_existing(known=joined(eksAddons={"vpc-cni": "v1.18.0-eksbuild.1"})),
)
