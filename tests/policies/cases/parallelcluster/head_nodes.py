"""The head node, and what nodes run."""

from muster.fleet.resources import Fleet, Mount, Ref
from muster.fleet.resources.ref import KEY_PAIR
from muster.fleet.unknown import UNKNOWN
from tests.factories import facts
from tests.policies.case import case
from tests.slurms import APPS, a_head, a_pcluster, a_queue, a_resource, a_script, a_slurm_fleet

READ_S3 = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
SESSIONS = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
OURS_TOO = Ref(KEY_PAIR, "ours")
OURS = "arn:aws:iam::111122223333:policy/ours"


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
