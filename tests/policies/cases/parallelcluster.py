"""A cluster on ParallelCluster and its head node: what is said of them, rules that only they have."""

from typing import Any

from muster.fleet.resources import Database, Fleet, Mount, Ref, Volume
from muster.fleet.resources.place import KEY_PAIR
from muster.fleet.unknown import UNKNOWN
from tests.factories import facts
from tests.policies.case import case
from tests.slurms import (
    APPS,
    FSX,
    IMAGE,
    a_head,
    a_pcluster,
    a_queue,
    a_resource,
    a_script,
    a_slurm_fleet,
    image_facts,
)

SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd"
READ_S3 = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
SESSIONS = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
OURS_TOO = Ref(KEY_PAIR, "ours")
OURS = "arn:aws:iam::111122223333:policy/ours"


def _on(**said: Any) -> Fleet:
    """A cluster of which something else is said."""
    return a_slurm_fleet(a_pcluster(**said))


def _at(directory: Any, name: Any = "data", **more: Any) -> Fleet:
    """A cluster that mounts one more file system."""
    return _on(mounts=(APPS, FSX, Mount(name, directory, "FsxLustre", file_system="fs-0fedcba9876543210", **more)))


def _accounting(uri: Any = "slurm.example.com:3306", secret: Any = SECRET, **more: Any) -> Fleet:
    return _on(accounting=True, database=Database(uri, secret), **more)


def _volume(**said: Any) -> Fleet:
    """A shared volume of which something else is said."""
    return _on(mounts=(Mount("apps", "/apps", "Ebs", volume=Volume(**said)), FSX))


# names


@case("parallelcluster-name-legal @ name")
def a_cluster_named_with_an_underscore() -> Fleet:
    return _on(name="ml_cluster")


@case("parallelcluster-name-legal @ name")
def a_cluster_named_in_61_letters() -> Fleet:
    return _on(name="a" * 61)


@case()
def a_cluster_named_in_60_letters() -> Fleet:
    return _on(name="a" * 60)


@case("parallelcluster-name-legal @ name")
def a_cluster_named_in_41_letters_with_accounting() -> Fleet:
    return _accounting(name="a" * 41)


@case()
def a_cluster_named_in_40_letters_with_accounting() -> Fleet:
    return _accounting(name="a" * 40)


@case("parallelcluster-name-legal @ name")
def a_cluster_named_like_its_stack() -> Fleet:
    return _on(stack_name="ml")


@case("parallelcluster-name-legal @ name")
def a_cluster_without_a_name() -> Fleet:
    return _on(name=None)


@case(unjudged=("parallelcluster-name-legal @ ",))
def a_cluster_of_nobody_knows_what_accounting() -> Fleet:
    return _on(name="a" * 41, accounting=UNKNOWN)


@case(unjudged=("parallelcluster-name-legal @ ",))
def a_cluster_of_a_name_not_yet_known() -> Fleet:
    return _on(name=UNKNOWN)


# operating systems


@case("parallelcluster-os-supported @ os")
def amazon_linux_2() -> Fleet:
    return _on(os="alinux2")


@case("parallelcluster-os-supported @ os")
def an_os_of_a_typing_error() -> Fleet:
    return _on(os="ubuntu2240")


@case("parallelcluster-os-supported @ os")
def no_os() -> Fleet:
    return _on(os=None)


@case(unjudged=("parallelcluster-os-supported @ ",))
def an_os_not_yet_known() -> Fleet:
    return _on(os=UNKNOWN)


@case("parallelcluster-image-made-for-os @ os")
def rocky_linux_without_an_image() -> Fleet:
    return _on(os="rocky9")


@case()
def rocky_linux_with_an_image() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="rocky9", image=IMAGE), known=image_facts(os="rocky9"))


# images


@case(
    unjudged=(
        "parallelcluster-image-of-version @ ",
        "parallelcluster-root-volume-holds-image @ head",
        "parallelcluster-root-volume-holds-image @ queues.train",
    )
)
def an_image_of_which_nothing_is_known() -> Fleet:
    return _on(image=IMAGE)


@case()
def an_image_as_it_should_be() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts())


@case("parallelcluster-image-of-version @ image")
def an_image_of_another_version() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion="3.15.0"))


@case("parallelcluster-image-of-version @ image")
def an_image_of_another_os() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os="ubuntu2204"))


@case(unjudged=("parallelcluster-image-of-version @ ",))
def an_image_whose_version_nobody_says() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion=None))


@case(unjudged=("parallelcluster-image-of-version @ ",))
def an_image_whose_os_nobody_says() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os=None))


@case(
    unjudged=(
        "parallelcluster-image-of-version @ ",
        "parallelcluster-root-volume-holds-image @ head",
        "parallelcluster-root-volume-holds-image @ queues.train",
    )
)
def an_image_not_yet_known() -> Fleet:
    return _on(image=UNKNOWN)


@case("parallelcluster-image-of-version @ head.image")
def an_image_of_the_head_node_alone() -> Fleet:
    return a_slurm_fleet(a_head(image=IMAGE), known=image_facts(parallelclusterVersion="3.14.2"))


@case(
    "parallelcluster-root-volume-holds-image @ head.root", "parallelcluster-root-volume-holds-image @ queues.train.root"
)
def an_image_larger_than_root_volumes() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(rootGib=201))


@case()
def an_image_beside_root_volumes_of_its_size() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_head(root=None), a_queue(root=None), known=image_facts(rootGib=999))


@case(unjudged=("parallelcluster-root-volume-holds-image @ head", "parallelcluster-volumes-legal @ head"))
def a_root_volume_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_head(root=Volume(gib=UNKNOWN)), known=image_facts())


# versions, metadata, settings for developers, tags


@case("parallelcluster-version-known @ version")
def another_version() -> Fleet:
    return _on(version="3.15.0")


@case(unjudged=("parallelcluster-version-known @ ",))
def a_version_not_yet_known() -> Fleet:
    return _on(version=UNKNOWN)


@case("parallelcluster-imds-v2 @ head")
def a_cluster_that_answers_imdsv1() -> Fleet:
    return _on(imds="v1.0")


@case()
def a_cluster_that_says_nothing_of_imds() -> Fleet:
    return _on(imds=None)


@case(unjudged=("parallelcluster-imds-v2 @ ",))
def imds_not_yet_known() -> Fleet:
    return _on(imds=UNKNOWN)


@case("parallelcluster-imds-v2 @ head")
def a_head_node_whose_role_all_use() -> Fleet:
    return a_slurm_fleet(a_head(imds_secured=False))


@case(unjudged=("parallelcluster-imds-v2 @ head",))
def a_head_node_of_which_nobody_knows_that() -> Fleet:
    return a_slurm_fleet(a_head(imds_secured=UNKNOWN))


@case("parallelcluster-dev-settings-absent @ version")
def developers_settings() -> Fleet:
    return _on(dev_settings=frozenset({"Timeouts", "Cookbook"}))


@case()
def timeouts_alone() -> Fleet:
    return _on(dev_settings=frozenset({"Timeouts"}))


@case(unjudged=("parallelcluster-dev-settings-absent @ ",))
def developers_settings_not_yet_known() -> Fleet:
    return _on(dev_settings=UNKNOWN)


@case("parallelcluster-tags-legal @ tags")
def too_many_tags() -> Fleet:
    return _on(tags=frozenset(f"tag-{index}" for index in range(40)))


@case()
def as_many_tags_as_there_may_be() -> Fleet:
    return _on(tags=frozenset(f"tag-{index}" for index in range(39)))


@case("parallelcluster-tags-legal @ tags")
def parallelclusters_own_tags() -> Fleet:
    return _on(tags=frozenset({"parallelcluster:version", "parallelcluster:custom_resource"}))


@case("parallelcluster-tags-legal @ tags")
def a_tag_of_129_characters() -> Fleet:
    return _on(tags=frozenset({"a" * 129}))


@case(unjudged=("parallelcluster-tags-legal @ ",))
def tags_not_yet_known() -> Fleet:
    return _on(tags=UNKNOWN)


# shared storage and volumes


@case("parallelcluster-storage-names-legal @ storage.default")
def a_storage_named_default() -> Fleet:
    return _at("/data", "default")


@case("parallelcluster-storage-names-legal @ storage.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
def a_storage_named_in_31_letters() -> Fleet:
    return _at("/data", "a" * 31)


@case("parallelcluster-storage-names-legal @ storage")
def a_storage_without_a_name() -> Fleet:
    return _at("/data", None)


@case(unjudged=("parallelcluster-storage-names-legal @ ",))
def a_storage_of_a_name_not_yet_known() -> Fleet:
    return _at("/data", UNKNOWN)


@case(
    unjudged=(
        "parallelcluster-storage-encrypted @ ",
        "parallelcluster-storage-names-legal @ ",
    )
)
def storage_not_yet_known() -> Fleet:
    return _on(mounts=UNKNOWN)


@case("parallelcluster-names-distinct @ storage")
def two_storages_of_one_name() -> Fleet:
    return _at("/data", "fsx")


@case("parallelcluster-names-distinct @ storage")
def one_file_system_twice() -> Fleet:
    return _on(mounts=(APPS, FSX, Mount("again", "/again", "FsxLustre", file_system=FSX.file_system)))


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_opt() -> Fleet:
    return _at("/opt")


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_tmp_without_a_slash() -> Fleet:
    return _at("tmp")


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_a_hidden_directory() -> Fleet:
    return _at("/.data")


@case()
def a_storage_at_home() -> Fleet:
    return _at("/home")


@case(unjudged=("parallelcluster-mount-dir-usable @ ",))
def a_storage_at_a_directory_not_yet_known() -> Fleet:
    return _at(UNKNOWN)


@case("parallelcluster-mount-dirs-apart @ storage.data")
def two_storages_at_one_directory() -> Fleet:
    return _at("/fsx")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_in_another() -> Fleet:
    return _at("fsx/data")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_over_the_nvme_disks() -> Fleet:
    return _at("/local_scratch")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_in_the_nvme_disks() -> Fleet:
    return _at("/local_scratch/data")


@case()
def a_storage_at_scratch() -> Fleet:
    return _at("/scratch")


@case("parallelcluster-mount-dirs-apart @ storage.scratch")
def a_storage_where_the_head_nodes_disks_are() -> Fleet:
    return a_slurm_fleet(
        a_pcluster(mounts=(APPS, Mount("scratch", "/scratch", "FsxLustre", file_system="fs-0fedcba9876543210"))),
        a_head(instance="g5.8xlarge"),
    )


@case(unjudged=("parallelcluster-mount-dirs-apart @ ",))
def disks_mounted_nobody_knows_where() -> Fleet:
    return a_slurm_fleet(a_queue(scratch=UNKNOWN))


@case(
    unjudged=("parallelcluster-mount-dirs-apart @ ", "parallelcluster-one-architecture @ queues.train.groups.workers")
)
def disks_of_a_type_that_nobody_knows() -> Fleet:
    return a_slurm_fleet(a_head(instance="x9.huge"))


@case("parallelcluster-storage-within-limits @ storage")
def two_file_systems_that_parallelcluster_makes() -> Fleet:
    return _on(mounts=(APPS, *(Mount(name, f"/{name}", "FsxLustre", deletion="Retain") for name in ("one", "two"))))


def _of_kind(kind: Any, count: int) -> tuple[Mount, ...]:
    return tuple(Mount(f"some-{index}", f"/some-{index}", kind, deletion="Retain") for index in range(count))


@case(unjudged=("parallelcluster-storage-within-limits @ ",))
def two_storages_of_nobody_knows_what() -> Fleet:
    return _on(mounts=_of_kind(UNKNOWN, 2))


@case()
def one_storage_of_nobody_knows_what() -> Fleet:
    return _on(mounts=_of_kind(UNKNOWN, 1))


@case("parallelcluster-storage-within-limits @ storage")
def six_volumes() -> Fleet:
    return _on(mounts=tuple(Mount(f"vol-{index}", f"/vol-{index}", "Ebs") for index in range(6)))


@case("parallelcluster-storage-within-limits @ storage")
def two_raids() -> Fleet:
    return _on(mounts=tuple(Mount(f"raid-{index}", f"/raid-{index}", "Ebs", raid=True) for index in range(2)))


@case("parallelcluster-storage-encrypted @ storage", "parallelcluster-storage-within-limits @ storage")
def two_elastic_file_systems() -> Fleet:
    return _on(mounts=tuple(Mount(f"efs-{index}", f"/efs-{index}", "Efs", deletion="Retain") for index in range(2)))


@case("parallelcluster-data-kept @ storage.fsx")
def a_file_system_that_goes_with_the_cluster() -> Fleet:
    return _on(mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre")))


@case(unjudged=("parallelcluster-data-kept @ ",))
def a_file_system_that_nobody_knows_what_becomes_of() -> Fleet:
    return _on(mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre", deletion=UNKNOWN)))


@case("parallelcluster-volumes-legal @ head.apps")
def a_volume_of_no_type() -> Fleet:
    return _volume(type="gp9")


@case("parallelcluster-volumes-legal @ head.apps")
def a_small_cold_volume() -> Fleet:
    return _volume(type="sc1", gib=200)


@case("parallelcluster-volumes-legal @ head.apps")
def a_large_old_volume() -> Fleet:
    return _volume(type="standard", gib=2000)


@case("parallelcluster-volumes-legal @ head.apps")
def iops_on_gp2() -> Fleet:
    return _volume(type="gp2", gib=100, iops=3000)


@case("parallelcluster-volumes-legal @ head.apps")
def too_many_iops_for_the_size() -> Fleet:
    return _volume(gib=10, iops=6000)


@case("parallelcluster-volumes-legal @ head.apps")
def a_gp3_volume_of_5_gib() -> Fleet:
    return _volume(gib=5)


@case()
def a_gp3_volume_of_6_gib() -> Fleet:
    return _volume(gib=6)


@case("parallelcluster-volumes-legal @ head.apps")
def too_few_iops() -> Fleet:
    return _volume(type="gp3", gib=100, iops=100)


@case("parallelcluster-volumes-legal @ head.apps")
def too_much_throughput_for_the_iops() -> Fleet:
    return _volume(gib=100, iops=3000, throughput=1000)


@case()
def throughput_beside_its_iops() -> Fleet:
    return _volume(gib=100, iops=4000, throughput=1000)


@case("parallelcluster-volumes-legal @ head.apps")
def little_throughput() -> Fleet:
    return _volume(gib=100, throughput=100)


@case(unjudged=("parallelcluster-volumes-legal @ ",))
def a_volume_not_yet_known() -> Fleet:
    return _volume(gib=UNKNOWN)


@case("parallelcluster-volumes-legal @ head.root")
def a_large_root_volume() -> Fleet:
    return a_slurm_fleet(a_head(root=Volume("gp3", 20000)))


@case("parallelcluster-volumes-legal @ queues.train.root")
def a_queues_root_volume() -> Fleet:
    return a_slurm_fleet(a_queue(root=Volume("io1", 100, iops=9000)))


# Slurm


@case("parallelcluster-accounting-legal @ accounting.server")
def a_database_with_a_scheme() -> Fleet:
    return _accounting("mysql://slurm.example.com")


@case("parallelcluster-accounting-legal @ accounting.server")
def a_database_at_a_path() -> Fleet:
    return _accounting("/slurm.example.com")


@case()
def a_database_by_its_host() -> Fleet:
    return _accounting("slurm.example.com")


@case("parallelcluster-accounting-legal @ accounting.password-secret")
def a_password_in_a_parameter() -> Fleet:
    return _accounting(secret="arn:aws:ssm:us-west-2:111122223333:parameter/slurm")


@case("parallelcluster-accounting-legal @ accounting.password-secret")
def a_password_in_another_region() -> Fleet:
    return _accounting(secret=SECRET.replace("us-west-2", "us-east-1"))


@case(unjudged=("parallelcluster-accounting-legal @ ",))
def a_database_not_yet_known() -> Fleet:
    return _accounting(UNKNOWN)


@case("parallelcluster-accounting-legal @ accounting")
def two_ways_of_accounting() -> Fleet:
    return _accounting(external_accounting=True, munge_key=True)


@case("parallelcluster-accounting-legal @ accounting")
def a_slurmdbd_from_elsewhere_without_its_key() -> Fleet:
    return _on(external_accounting=True)


@case()
def a_slurmdbd_from_elsewhere() -> Fleet:
    return _on(external_accounting=True, munge_key=True)


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.SuspendTime")
def a_setting_that_is_parallelclusters() -> Fleet:
    return _on(slurm_settings=frozenset({"SuspendTime", "MaxJobCount"}))


@case()
def accounting_by_settings() -> Fleet:
    return _on(slurm_settings=frozenset({"JobAcctGatherType"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.JobAcctGatherType")
def accounting_by_settings_beside_a_database() -> Fleet:
    return _accounting(slurm_settings=frozenset({"JobAcctGatherType"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings")
def nodes_called_like_parallelclusters() -> Fleet:
    return _on(node_names=frozenset({"train-st-own-[1-4]"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings")
def settings_and_a_file_of_them() -> Fleet:
    return _on(slurm_settings=frozenset({"MaxJobCount"}), include_file=True)


@case(unjudged=("parallelcluster-slurm-settings-allowed @ ",))
def a_setting_of_accounting_that_there_may_be() -> Fleet:
    return _on(accounting=UNKNOWN, slurm_settings=frozenset({"JobAcctGatherType", "MaxJobCount"}))


@case()
def other_settings_beside_accounting_that_there_may_be() -> Fleet:
    return _on(accounting=UNKNOWN, slurm_settings=frozenset({"MaxJobCount"}))


@case("parallelcluster-slurm-settings-allowed @ slurm.settings.SuspendTime")
def a_setting_refused_with_and_without_accounting() -> Fleet:
    return _on(accounting=UNKNOWN, slurm_settings=frozenset({"SuspendTime"}))


@case(unjudged=("parallelcluster-slurm-settings-allowed @ ",))
def settings_not_yet_known() -> Fleet:
    return _on(slurm_settings=UNKNOWN)


# the head node, and what nodes run


@case("parallelcluster-ssh-not-open-to-all @ head.ssh-from")
def ssh_from_everywhere() -> Fleet:
    return a_slurm_fleet(a_head(ssh_from="0.0.0.0/0"))


@case("parallelcluster-ssh-not-open-to-all @ head.ssh-from")
def ssh_of_which_nothing_is_said() -> Fleet:
    return a_slurm_fleet(a_head(ssh_from=None))


@case(unjudged=("parallelcluster-ssh-not-open-to-all @ head",))
def ssh_from_nobody_knows_where() -> Fleet:
    return a_slurm_fleet(a_head(ssh_from=UNKNOWN))


@case("parallelcluster-key-fits-os @ head.login")
def an_rsa_key_on_ubuntu() -> Fleet:
    return a_slurm_fleet(
        a_pcluster(os="ubuntu2204"), a_head(key_pair="ml-admins"), known=facts(keyPairs={"ml-admins": {"type": "rsa"}})
    )


@case("parallelcluster-key-fits-os @ head.login")
def an_rsa_key_of_the_program_on_ubuntu() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="ubuntu2404"), a_head(key_pair=OURS_TOO, key_type="ssh-rsa"))


@case()
def an_rsa_key_on_amazon_linux() -> Fleet:
    return a_slurm_fleet(a_head(key_pair="ml-admins"), known=facts(keyPairs={"ml-admins": {"type": "rsa"}}))


@case(unjudged=("parallelcluster-key-fits-os @ head",))
def a_key_on_ubuntu_of_which_nothing_is_known() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="ubuntu2204"), a_head(key_pair="ml-admins"))


@case()
def an_ed25519_key_on_ubuntu() -> Fleet:
    return a_slurm_fleet(
        a_pcluster(os="ubuntu2204"),
        a_head(key_pair="ml-admins"),
        known=facts(keyPairs={"ml-admins": {"type": "ed25519"}}),
    )


@case(unjudged=("parallelcluster-key-fits-os @ head",))
def a_key_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="ubuntu2204"), a_head(key_pair=UNKNOWN))


@case("parallelcluster-gdr-beside-efa @ head")
def a_head_node_with_efa() -> Fleet:
    return a_slurm_fleet(a_head(efa=True))


@case()
def a_head_node_that_is_not_catalogued() -> Fleet:
    return a_slurm_fleet(a_head(instance="t3.medium"))


@case("parallelcluster-mount-dirs-apart @ storage.scratch")
def a_head_node_with_disks_that_is_not_catalogued() -> Fleet:
    return a_slurm_fleet(
        a_pcluster(mounts=(APPS, Mount("scratch", "/scratch", "FsxLustre", file_system="fs-0fedcba9876543210"))),
        a_head(instance="m6id.4xlarge"),
    )


@case("parallelcluster-one-architecture @ queues.train.groups.workers.instance")
def a_graviton_head_node() -> Fleet:
    return a_slurm_fleet(a_head(instance="c7g.4xlarge"))


@case(
    unjudged=("parallelcluster-mount-dirs-apart @ ", "parallelcluster-one-architecture @ queues.train.groups.workers")
)
def a_head_node_of_a_type_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(instance=UNKNOWN))


@case(
    unjudged=(
        "nodes-in-order @ queues.train.groups.workers",
        "parallelcluster-shared-volume-serves-fleet @ ",
        "subnet-holds-all-nodes @ queues.train.groups.workers",
    )
)
def a_head_node_for_nobody_knows_how_many() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_max=UNKNOWN))


@case("parallelcluster-head-ready-in-time @ head.post-install.timeout-minutes")
def a_head_node_that_takes_an_hour() -> Fleet:
    return a_slurm_fleet(a_head(seconds=3600))


@case("parallelcluster-head-ready-in-time @ head.post-install.timeout-minutes")
def a_head_node_that_takes_51_minutes() -> Fleet:
    return a_slurm_fleet(a_head(seconds=3060))


@case()
def a_head_node_that_takes_50_minutes() -> Fleet:
    return a_slurm_fleet(a_head(seconds=3000))


@case(unjudged=("parallelcluster-head-ready-in-time @ head",))
def a_head_node_that_takes_nobody_knows_how_long() -> Fleet:
    return a_slurm_fleet(a_head(seconds=UNKNOWN))


@case("parallelcluster-scripts-readable @ head.post-install")
def scripts_that_nobody_may_read() -> Fleet:
    return a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh")))


@case()
def scripts_of_a_bucket_that_is_named() -> Fleet:
    return a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh"), buckets=frozenset({"scripts"})))


@case()
def scripts_where_all_of_s3_is_read() -> Fleet:
    return a_slurm_fleet(a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({READ_S3})))


@case("parallelcluster-scripts-readable @ queues.train.post-install")
def scripts_beside_sessions() -> Fleet:
    return a_slurm_fleet(a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({SESSIONS})))


@case(unjudged=("parallelcluster-scripts-readable @ queues.train",))
def scripts_beside_a_policy_of_ours() -> Fleet:
    return a_slurm_fleet(a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({OURS})))


@case(unjudged=("parallelcluster-scripts-readable @ head",))
def scripts_of_a_role_of_ones_own() -> Fleet:
    return a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh"), own_role=True))


@case(unjudged=("parallelcluster-scripts-readable @ queues.train", "node-role-narrow @ queues.train"))
def scripts_beside_a_policy_not_yet_known() -> Fleet:
    return a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({SESSIONS}), more_policies=True)
    )


@case(unjudged=("node-role-narrow @ queues.train",))
def scripts_where_all_of_s3_is_read_whatever_else_may_be() -> Fleet:
    return a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({READ_S3}), more_policies=True)
    )


@case("parallelcluster-scripts-readable @ head.post-install")
def a_script_on_the_disk() -> Fleet:
    return a_slurm_fleet(a_head(scripts=a_script("/home/set-up.sh")))


@case(unjudged=("parallelcluster-scripts-readable @ head",))
def scripts_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(scripts=UNKNOWN))


@case(unjudged=("parallelcluster-scripts-readable @ queues.train",))
def a_script_at_an_address_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(scripts=a_script(UNKNOWN)))


@case(unjudged=("parallelcluster-scripts-readable @ head",))
def rights_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh"), buckets=UNKNOWN))


@case("parallelcluster-security-groups-alike @ network")
def security_groups_in_place_of_parallelclusters() -> Fleet:
    return a_slurm_fleet(a_queue(replaces_groups=True))


@case()
def security_groups_in_place_of_all() -> Fleet:
    return a_slurm_fleet(a_head(replaces_groups=True, ssh_from=None), a_queue(replaces_groups=True))
