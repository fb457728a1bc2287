"""Labels and taints."""

from muster.fleet.resources import Taint
from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

cases(
    labels_and_taints=lambda: a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("muster/group", "workers")}), taints=frozenset({Taint("dedicated", "", "NoSchedule")})
        )
    ),
    fifty_one_labels=lambda: a_hyperpod_fleet(
        an_instance_group(labels=frozenset((f"label-{index}", "yes") for index in range(51)))
    ),
    a_label_without_a_value=lambda: a_hyperpod_fleet(an_instance_group(labels=frozenset({("team", "")}))),
    a_label_with_a_long_value=lambda: a_hyperpod_fleet(an_instance_group(labels=frozenset({("team", "a" * 64)}))),
    a_taint_with_a_bad_key=lambda: a_hyperpod_fleet(
        an_instance_group(taints=frozenset({Taint("Bad Key", "true", "NoSchedule")}))
    ),
    a_taint_with_a_bad_effect=lambda: a_hyperpod_fleet(
        an_instance_group(taints=frozenset({Taint("dedicated", "true", "NO_SCHEDULE")}))
    ),
    hyperpods_own_label=lambda: a_hyperpod_fleet(
        an_instance_group(labels=frozenset({("sagemaker.amazonaws.com/node-health-status", "Schedulable")}))
    ),
    a_label_of_kubernetes_and_a_taint_of_eks=lambda: a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("kubernetes.io/role", "ml")}),
            taints=frozenset({Taint("eks.amazonaws.com/ml", "", "NoSchedule")}),
        )
    ),
    marks_below_prefixes_of_kubernetes=lambda: a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("node-role.kubernetes.io/ml", "yes"), ("node.kubernetes.io/instance-type", "large")}),
            taints=frozenset({Taint("node.kubernetes.io/not-ready", "", "NoExecute")}),
        )
    ),
    a_label_of_ones_own_that_ends_like_kubernetes=lambda: a_hyperpod_fleet(
        an_instance_group(labels=frozenset({("mykubernetes.io/ml", "yes")}))
    ),
    a_label_that_kubernetes_leaves_open=lambda: a_hyperpod_fleet(
        an_instance_group(labels=frozenset({("node.kubernetes.io/ml", "yes")}))
    ),
    labels_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(labels=UNKNOWN)),
)
