"""Instance groups of HyperPod: types, numbers, volumes, labels, quotas."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.quantity import Size
from muster.fleet.resources import (
    Fleet,
    HyperPodCluster,
    InstanceGroup,
    StorageVolume,
    Taint,
)
from muster.fleet.unknown import UNKNOWN, UnknownType
from tests.factories import facts
from tests.hyperpods import (
    a_hyperpod,
    a_hyperpod_fleet,
    a_lifecycle,
    an_instance_group,
    hyperpod_facts,
    quota_of,
)
from tests.policies.case import case

SPOT_QUOTA = facts(hyperpodQuotas={f"ml.{each}.48xlarge for cluster spot usage": 4 for each in ("g5", "p5")})
"""By a made up name: SageMaker's guide does not say how Service Quotas calls it."""

KEY = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def _keyed(group: InstanceGroup, provisioning: str | None | UnknownType = "Continuous") -> Fleet:
    """A group with keys, provisioned in some mode."""
    return a_hyperpod_fleet(a_hyperpod(provisioning=provisioning), group)


# instance types


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def a_type_that_only_ec2_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.p3dn.24xlarge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def a_trn1_without_efa() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.trn1.2xlarge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def bare_metal() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.g4dn.metal"))


@case(
    "hyperpod-instance-type-taken @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def a_type_that_nobody_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.x9.huge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def ec2s_name_of_a_type() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="p5.48xlarge"))


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        "efa-single-zone @ groups.workers",
        "hyperpod-instance-type-taken @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "instance-offered-in-zone @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_type_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=UNKNOWN))


@case()
def a_list_of_types() -> Fleet:
    """Quotas of both count together."""
    return a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=8),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    )


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def a_list_of_21_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge",) * 21))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def a_type_and_a_list_of_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(requirements=("ml.p5.48xlarge",)))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def no_type_at_all() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def an_empty_list_of_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=()))


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        "efa-single-zone @ groups.workers",
        "hyperpod-instance-type-stated-once @ groups.workers",
        "hyperpod-instance-type-taken @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "instance-offered-in-zone @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_list_of_types_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=UNKNOWN))


# names and groups


@case("hyperpod-names-legal @ groups.workers")
def a_name_with_an_underscore() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="gpu_workers"))


@case("hyperpod-names-legal @ groups.workers")
def a_name_of_64_letters() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="a" * 64))


@case("hyperpod-names-legal @ groups.workers")
def a_group_without_a_name() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name=None))


@case(unjudged=("hyperpod-names-legal @ groups.workers",))
def a_groups_name_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name=UNKNOWN))


@case()
def a_cluster_whose_name_sagemaker_makes_up() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name=None))


@case("hyperpod-names-legal @ hyperpod")
def a_clusters_name_that_ends_with_a_dash() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name="ml-"))


@case(unjudged=("hyperpod-names-legal @ hyperpod",))
def a_clusters_name_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name=UNKNOWN))


@case("hyperpod-groups-distinct @ hyperpod")
def two_groups_of_one_name() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="workers"), an_instance_group("others", name="workers"))


@case()
def a_hundred_groups() -> Fleet:
    return a_hyperpod_fleet(*(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(99)))


@case("hyperpod-groups-distinct @ hyperpod")
def a_hundred_and_one_groups() -> Fleet:
    return a_hyperpod_fleet(*(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(100)))


@case(unjudged=("hyperpod-groups-distinct @ hyperpod",))
def groups_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(groups_known=False))


# numbers


@case("hyperpod-counts-in-order @ groups.workers.nodes.minimum")
def a_minimum_above_the_count() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=2, minimum=3))


@case(
    "hyperpod-counts-in-order @ groups.workers.nodes",
    "hyperpod-quota-covers-nodes @ groups.workers.nodes",
    "subnet-holds-nodes @ groups.workers.nodes",
)
def more_instances_than_a_group_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=7000, minimum=7000))


@case("hyperpod-counts-in-order @ groups.workers.nodes")
def fewer_than_none() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=-1))


@case(
    unjudged=(
        "hyperpod-counts-in-order @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_count_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=UNKNOWN))


@case("hyperpod-minimum-needs-continuous @ groups.workers.nodes.minimum")
def a_minimum_where_groups_come_whole() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=2))


@case()
def a_minimum_that_is_provisioned_continuously() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), an_instance_group(nodes_start=4, minimum=2))


@case()
def a_minimum_that_is_all() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=4))


@case()
def two_threads_per_core() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=2))


@case("hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core")
def three_threads_per_core() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=3))


@case()
def no_word_on_threads() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=None))


@case("hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core")
def two_threads_on_a_type_with_one() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p6e-gb200.36xlarge", threads_per_core=2),
        known=quota_of("ml.p6e-gb200.36xlarge"),
    )


@case(
    "hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def two_threads_on_graviton() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c6g.large", threads_per_core=2), known=quota_of("ml.c6g.large")
    )


@case(
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "hyperpod-threads-per-core @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def two_threads_on_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c5.large", threads_per_core=2), known=quota_of("ml.c5.large")
    )


@case(unjudged=("hyperpod-threads-per-core @ groups.workers",))
def threads_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=UNKNOWN))


# deep health checks


@case()
def both_deep_checks() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress", "InstanceConnectivity"})))


@case("hyperpod-deep-checks-known @ groups.workers.hyperpod.deep-health-checks")
def a_deep_check_that_cloudformation_lacks() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress", "MultiNodeTrainingValidation"})))


@case("hyperpod-deep-checks-known @ groups.workers.hyperpod.deep-health-checks")
def deep_checks_of_processors() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.m5.2xlarge"),
    )


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-deep-checks-known @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def deep_checks_of_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p5.4xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.p5.4xlarge"),
    )


@case(unjudged=("hyperpod-deep-checks-known @ groups.workers",))
def deep_checks_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=UNKNOWN))


@case("hyperpod-taints-beside-deep-checks @ groups.workers.taints")
def deep_checks_beside_a_taint() -> Fleet:
    taints = frozenset({Taint("team", "true", "NoSchedule"), Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


@case()
def deep_checks_beside_a_mild_taint() -> Fleet:
    taints = frozenset({Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


@case(
    unjudged=(
        "hyperpod-labels-legal @ groups.workers",
        "hyperpod-labels-not-reserved @ groups.workers",
        "hyperpod-taints-beside-deep-checks @ groups.workers",
    )
)
def deep_checks_beside_taints_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=UNKNOWN))


# volumes


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def a_volume_larger_than_there_are() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(20000),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def a_volume_without_a_size() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None),)))


@case()
def a_root_volume_with_a_key() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500, key=KEY))))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.root-volume-key")
def a_root_volume_with_a_size() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(100, True, KEY),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.root-volume-key")
def a_root_volume_without_a_key() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None, True),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def five_storage_configurations() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(500),) * 5))


@case()
def a_file_system_that_is_mounted() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None, mounts=True), StorageVolume(500))))


@case(unjudged=("hyperpod-key-usable @ groups.workers", "hyperpod-volumes-legal @ groups.workers"))
def volumes_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=UNKNOWN))


@case(unjudged=("hyperpod-volumes-legal @ groups.workers",))
def a_volumes_size_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(UNKNOWN),)))


@case("hyperpod-key-usable @ groups.workers.hyperpod.root-volume-key")
def a_root_volumes_key_where_groups_come_whole() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500))), None)


@case("hyperpod-key-usable @ groups.workers.hyperpod.volume.key")
def a_volumes_key_where_groups_come_whole() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key="1234abcd-12ab-34cd-56ef-1234567890ab"),)), None)


@case("hyperpod-key-usable @ groups.workers.hyperpod.volume.key")
def a_key_of_another_region() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=KEY.replace("us-west-2", "us-east-1")),)))


@case(unjudged=("hyperpod-key-usable @ groups.workers", "hyperpod-provisioning-known @ hyperpod"))
def a_key_under_provisioning_not_yet_known() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=KEY),)), UNKNOWN)


@case(unjudged=("hyperpod-key-usable @ groups.workers",))
def a_key_of_a_cluster_that_is_not_here() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(500, key=KEY),)), without=[HyperPodCluster])


@case()
def a_key_that_the_program_makes() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=UNKNOWN),)))


# interfaces


@case()
def efa_only() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface="efa-only"))


@case("hyperpod-interface-fits @ groups.workers.hyperpod.interface")
def efa_only_without_efa() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", interface="efa-only"), known=quota_of("ml.m5.2xlarge")
    )


@case("hyperpod-interface-fits @ groups.workers.hyperpod.interface")
def interfaces_of_no_kind() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface="ena"))


@case(unjudged=("hyperpod-interface-fits @ groups.workers",))
def interfaces_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface=UNKNOWN))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-interface-fits @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def efa_only_of_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p5.4xlarge", interface="efa-only"), known=quota_of("ml.p5.4xlarge")
    )


# huge pages

PAGES = "hyperpod-huge-pages-set-aside @ groups.workers.huge-pages"


@case()
def huge_pages_that_our_script_sets_aside() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256)))


@case(PAGES)
def huge_pages_that_no_script_sets_aside() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256), lifecycle=None))


@case(PAGES, unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def huge_pages_that_their_script_may_set_aside() -> Fleet:
    theirs = a_lifecycle("s3://sagemaker-ml-scripts/base")
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256), lifecycle=theirs))


@case()
def no_huge_pages_and_no_script() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(0), lifecycle=None))


# labels and taints


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


# quotas


@case("hyperpod-quota-covers-nodes @ groups.more.nodes", "hyperpod-quota-covers-nodes @ groups.workers.nodes")
def a_quota_that_is_too_small() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=3), an_instance_group("more", nodes_start=2))


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers",))
def a_quota_that_nobody_gave() -> Fleet:
    return a_hyperpod_fleet(known=hyperpod_facts(quota=None))


def _on_spot(known: Facts | None = None, **more: Any) -> Fleet:
    """A group on spot, provisioned continuously."""
    group = an_instance_group(instance_type="ml.g5.48xlarge", spot=True, **more)
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), group, known=known)


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers",))
def spot_instances() -> Fleet:
    """Nobody gave their quota: that of others does not count them."""
    return _on_spot()


@case()
def spot_instances_with_a_quota() -> Fleet:
    return _on_spot(SPOT_QUOTA)


@case("hyperpod-quota-covers-nodes @ groups.workers.nodes")
def spot_instances_beyond_their_quota() -> Fleet:
    """It counts those of spot groups alone."""
    return _on_spot(SPOT_QUOTA, nodes_start=5)


@case("hyperpod-spot-needs-continuous @ groups.workers.capacity.spot")
def spot_instances_where_groups_come_whole() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA)


@case(unjudged=("hyperpod-provisioning-known @ hyperpod", "hyperpod-spot-needs-continuous @ groups.workers"))
def spot_instances_under_provisioning_not_yet_known() -> Fleet:
    group = an_instance_group(instance_type="ml.g5.48xlarge", spot=True)
    return a_hyperpod_fleet(a_hyperpod(provisioning=UNKNOWN), group, known=SPOT_QUOTA)


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers", "spot-not-for-training @ groups.workers"))
def spot_or_not() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(spot=UNKNOWN))


@case("hyperpod-quota-covers-nodes @ groups.workers.nodes")
def quotas_of_two_types_that_are_too_small_together() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=9),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    )
