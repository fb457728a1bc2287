"""Login nodes, by the rules that head nodes and queues have, too."""

from muster.unknown import UNKNOWN
from tests.factories import A, B, facts
from tests.factories.parallelcluster_fleets import a_head, a_login_pool, a_queue, a_script, a_slurm_fleet, image_facts
from tests.policies.case import cases

READ_S3 = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"

cases(
    login_nodes=lambda: a_slurm_fleet(a_login_pool()),
    login_nodes_alone_with_parallelclusters_group=lambda: a_slurm_fleet(
        a_head(replaces_groups=True, ssh_from=None), a_queue(replaces_groups=True), a_login_pool(ssh_from=None)
    ),
    login_nodes_with_groups_in_place_of_parallelclusters=lambda: a_slurm_fleet(
        a_login_pool(replaces_groups=True, ssh_from=None)
    ),
    login_nodes_with_a_script_by_https=lambda: a_slurm_fleet(a_login_pool(scripts=a_script())),
    login_nodes_with_a_script_in_s3=lambda: a_slurm_fleet(a_login_pool(scripts=a_script("s3://scripts/set-up.sh"))),
    login_nodes_that_may_read_all_of_s3=lambda: a_slurm_fleet(
        a_login_pool(scripts=a_script("s3://scripts/set-up.sh"), policies=frozenset({READ_S3}))
    ),
    login_nodes_with_scripts_not_yet_known=lambda: a_slurm_fleet(a_login_pool(scripts=UNKNOWN)),
    login_nodes_of_another_architecture=lambda: a_slurm_fleet(a_login_pool(instance="c7g.large")),
    login_nodes_of_a_type_not_yet_known=lambda: a_slurm_fleet(a_login_pool(instance=UNKNOWN)),
    login_nodes_without_a_subnet=lambda: a_slurm_fleet(a_login_pool(subnets=())),
    login_nodes_in_two_subnets=lambda: a_slurm_fleet(a_login_pool(subnets=(A, B))),
    login_nodes_in_subnets_not_yet_known=lambda: a_slurm_fleet(a_login_pool(subnets=UNKNOWN)),
    login_nodes_where_the_type_is_not_offered=lambda: a_slurm_fleet(
        a_login_pool(), known=facts(offerings={"m5.large": ["us-west-2b"]})
    ),
    login_nodes_with_all_rights=lambda: a_slurm_fleet(
        a_login_pool(policies=frozenset({"arn:aws:iam::aws:policy/AdministratorAccess"}))
    ),
    login_nodes_with_too_many_security_groups=lambda: a_slurm_fleet(
        a_login_pool(security_groups=tuple(f"sg-0123456789abcde{number:02}" for number in range(5)))
    ),
    login_nodes_with_an_image_of_another_system=lambda: a_slurm_fleet(
        a_login_pool(image="ami-0123456789abcdef0"), known=image_facts(os="ubuntu2404")
    ),
)
