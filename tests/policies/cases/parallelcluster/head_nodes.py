"""The head node, and what nodes run."""

from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import a_head, a_queue, a_script, a_slurm_fleet
from tests.policies.case import cases

READ_S3 = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
SESSIONS = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
OURS = "arn:aws:iam::111122223333:policy/ours"


cases(
    scripts_that_are_pages_about_a_file=lambda: a_slurm_fleet(
        a_head(scripts=a_script("https://github.com/ours/tools/blob/main/set-up.sh?plain=1#L3")),
        a_queue(scripts=a_script("https://git.example.com/ours/tools/-/blob/main/set-up.sh")),
    ),
    scripts_that_are_files_of_a_repository=lambda: a_slurm_fleet(
        a_head(scripts=a_script("https://github.com/ours/tools/blob/main/set-up.sh?raw=true")),
        a_queue(scripts=a_script("https://raw.githubusercontent.com/ours/tools/main/blob/set-up.sh")),
    ),
    a_script_that_is_a_folder=lambda: a_slurm_fleet(
        a_head(scripts=a_script("s3://scripts/set-up/"), buckets=frozenset({"scripts"}))
    ),
    a_head_node_with_efa=lambda: a_slurm_fleet(a_head(efa=True)),
    a_graviton_head_node=lambda: a_slurm_fleet(a_head(instance="c7g.4xlarge")),
    a_head_node_of_a_type_not_yet_known=lambda: a_slurm_fleet(a_head(instance=UNKNOWN)),
    a_head_node_that_takes_an_hour=lambda: a_slurm_fleet(a_head(seconds=3600)),
    a_head_node_that_takes_51_minutes=lambda: a_slurm_fleet(a_head(seconds=3060)),
    a_head_node_that_takes_50_minutes=lambda: a_slurm_fleet(a_head(seconds=3000)),
    a_head_node_that_takes_nobody_knows_how_long=lambda: a_slurm_fleet(a_head(seconds=UNKNOWN)),
    scripts_that_nobody_may_read=lambda: a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh"))),
    scripts_of_a_bucket_that_is_named=lambda: a_slurm_fleet(
        a_head(scripts=a_script("s3://scripts/set-up.sh"), buckets=frozenset({"scripts"}))
    ),
    scripts_where_all_of_s3_is_read=lambda: a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({READ_S3}))
    ),
    scripts_beside_sessions=lambda: a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({SESSIONS}))
    ),
    scripts_beside_a_policy_of_ours=lambda: a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({OURS}))
    ),
    scripts_of_a_role_of_ones_own=lambda: a_slurm_fleet(
        a_head(scripts=a_script("s3://scripts/set-up.sh"), own_role=True)
    ),
    scripts_beside_a_policy_not_yet_known=lambda: a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({SESSIONS}), more_policies=True)
    ),
    scripts_where_all_of_s3_is_read_whatever_else_may_be=lambda: a_slurm_fleet(
        a_queue(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({READ_S3}), more_policies=True)
    ),
    a_script_on_the_disk=lambda: a_slurm_fleet(a_head(scripts=a_script("/home/set-up.sh"))),
    scripts_not_yet_known=lambda: a_slurm_fleet(a_head(scripts=UNKNOWN)),
    a_script_at_an_address_not_yet_known=lambda: a_slurm_fleet(a_queue(scripts=a_script(UNKNOWN))),
    rights_not_yet_known=lambda: a_slurm_fleet(a_head(scripts=a_script("s3://scripts/set-up.sh"), buckets=UNKNOWN)),
    security_groups_in_place_of_parallelclusters=lambda: a_slurm_fleet(a_queue(replaces_groups=True)),
    security_groups_in_place_of_all=lambda: a_slurm_fleet(
        a_head(replaces_groups=True, ssh_from=None), a_queue(replaces_groups=True)
    ),
)
