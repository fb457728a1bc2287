"""Roles of nodes, and who administers a cluster."""

from muster.fleet.resources import Fleet, NodeRole, Place, Ref, Statement
from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case, cases
from tests.policies.security import AWS_POLICY, ROLE_AT, grant, role
from tests.slurms import a_head, a_queue, a_slurm_fleet

# node-role-narrow

NARROW = Statement(frozenset({"s3:GetObject"}), frozenset({"*"}))


cases(
    nodes_that_administer_the_account=lambda: a_fleet(role(f"{AWS_POLICY}/AdministratorAccess")),
)


@case
def nodes_with_all_of_s3() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AmazonS3FullAccess", f"{AWS_POLICY}/AmazonEKSWorkerNodePolicy"))


cases(
    nodes_with_a_policy_of_the_accounts_own=lambda: a_fleet(role("arn:aws:iam::111122223333:policy/OurFullAccess")),
    nodes_allowed_everything_by_a_policy_of_their_own=lambda: a_fleet(
        role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"*"}))))
    ),
    nodes_allowed_everything_on_one_thing=lambda: a_fleet(
        role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"arn:aws:s3:::data"}))))
    ),
    a_role_of_which_nothing_is_known_yet=lambda: a_fleet(
        NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), UNKNOWN, UNKNOWN)
    ),
    nodes_that_administer_the_account_and_have_a_policy_not_yet_known=lambda: a_fleet(
        role(f"{AWS_POLICY}/AdministratorAccess", more_policies=True)
    ),
    nodes_allowed_all_of_iam_in_capitals_beside_what_is_not_yet_known=lambda: a_fleet(
        role(statements=(Statement(frozenset({"IAM:*"}), frozenset({"*"})),), more_statements=True)
    ),
)


@case
def nodes_allowed_all_of_s3_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(Statement(frozenset({"s3:*", "ec2:Describe*"}), frozenset({"*"})),)))


cases(
    a_queue_with_all_of_s3=lambda: a_slurm_fleet(a_queue(policies=frozenset({f"{AWS_POLICY}/AmazonS3FullAccess"}))),
    a_head_node_with_policies_not_yet_known=lambda: a_slurm_fleet(a_head(policies=UNKNOWN)),
    a_queue_that_administers_the_account_and_has_a_policy_not_yet_known=lambda: a_slurm_fleet(
        a_queue(policies=frozenset({f"{AWS_POLICY}/AdministratorAccess"}), more_policies=True)
    ),
)


# cluster-admin-named


cases(
    everybody_who_is_logged_in_is_administrator=lambda: a_fleet(grant(("system:authenticated", "ml-admins"))),
    an_accounts_root_is_administrator=lambda: a_fleet(
        grant(("arn:aws:iam::111122223333:root",), "AmazonEKSClusterAdminPolicy")
    ),
    all_pods_of_a_namespace_are_administrators=lambda: a_fleet(
        grant(("system:serviceaccounts:ml", "system:serviceaccount:ml:default"))
    ),
    a_service_account_of_its_own_is_administrator=lambda: a_fleet(
        grant(("system:serviceaccount:argocd:argocd-server",))
    ),
    everybody_may_look=lambda: a_fleet(grant(("system:authenticated",), "view")),
    administrators_not_yet_known=lambda: a_fleet(grant(UNKNOWN)),
    rights_of_everybody_not_yet_known=lambda: a_fleet(grant(("system:unauthenticated",), UNKNOWN)),
)
