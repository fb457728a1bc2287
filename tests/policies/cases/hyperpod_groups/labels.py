"""Labels and taints."""

from muster.fleet.resources import Fleet, Taint
from muster.fleet.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.case import case


@case()
def labels_and_taints() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("muster/group", "workers")}), taints=frozenset({Taint("dedicated", "", "NoSchedule")})
        )
    )


@case("hyperpod-labels-legal @ groups.workers.labels")
def fifty_one_labels() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset((f"label-{index}", "yes") for index in range(51))))


@case("hyperpod-labels-legal @ groups.workers.labels")
def a_label_without_a_value() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset({("team", "")})))


@case("hyperpod-labels-legal @ groups.workers.labels")
def a_label_with_a_long_value() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset({("team", "a" * 64)})))


@case("hyperpod-labels-legal @ groups.workers.taints")
def a_taint_with_a_bad_key() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(taints=frozenset({Taint("Bad Key", "true", "NoSchedule")})))


@case("hyperpod-labels-legal @ groups.workers.taints")
def a_taint_with_a_bad_effect() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(taints=frozenset({Taint("dedicated", "true", "NO_SCHEDULE")})))


@case("hyperpod-labels-not-reserved @ groups.workers.labels")
def hyperpods_own_label() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(labels=frozenset({("sagemaker.amazonaws.com/node-health-status", "Schedulable")}))
    )


@case("hyperpod-labels-not-reserved @ groups.workers.labels", "hyperpod-labels-not-reserved @ groups.workers.taints")
def a_label_of_kubernetes_and_a_taint_of_eks() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("kubernetes.io/role", "ml")}),
            taints=frozenset({Taint("eks.amazonaws.com/ml", "", "NoSchedule")}),
        )
    )


@case("hyperpod-labels-not-reserved @ groups.workers.labels", "hyperpod-labels-not-reserved @ groups.workers.taints")
def marks_below_prefixes_of_kubernetes() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(
            labels=frozenset({("node-role.kubernetes.io/ml", "yes"), ("node.kubernetes.io/instance-type", "large")}),
            taints=frozenset({Taint("node.kubernetes.io/not-ready", "", "NoExecute")}),
        )
    )


@case()
def a_label_of_ones_own_that_ends_like_kubernetes() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset({("mykubernetes.io/ml", "yes")})))


@case()
def a_label_that_kubernetes_leaves_open() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=frozenset({("node.kubernetes.io/ml", "yes")})))


@case(unjudged=("hyperpod-labels-legal @ groups.workers", "hyperpod-labels-not-reserved @ groups.workers"))
def labels_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(labels=UNKNOWN))
