"""Roles of nodes, and who administers a cluster."""

from muster.fleet.resources import Fleet, NodeRole, Place, Ref, Statement
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.case import case
from tests.policies.security import ADMIN, AWS_POLICY, GRANT_AT, ROLE, ROLE_AT, grant, role
from tests.slurms import a_head, a_queue, a_slurm_fleet

# node-role-narrow

NARROW = Statement(frozenset({"s3:GetObject"}), frozenset({"*"}))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_that_administer_the_account() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AdministratorAccess"))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_with_all_of_s3() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AmazonS3FullAccess", f"{AWS_POLICY}/AmazonEKSWorkerNodePolicy"))


@case()
def nodes_with_a_policy_of_the_accounts_own() -> Fleet:
    return a_fleet(role("arn:aws:iam::111122223333:policy/OurFullAccess"))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_allowed_everything_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"*"})))))


@case()
def nodes_allowed_everything_on_one_thing() -> Fleet:
    return a_fleet(role(statements=(NARROW, Statement(frozenset({"*"}), frozenset({"arn:aws:s3:::data"})))))


@case(unjudged=(f"{ROLE} @ {ROLE_AT}",))
def a_role_of_which_nothing_is_known_yet() -> Fleet:
    unknown = NodeRole(Ref("aws:iam/role:Role", "nodes"), Place(ROLE_AT), UNKNOWN, UNKNOWN)
    return a_fleet(unknown)


@case(f"{ROLE} @ {ROLE_AT}", unjudged=(f"{ROLE} @ {ROLE_AT}",))
def nodes_that_administer_the_account_and_have_a_policy_not_yet_known() -> Fleet:
    return a_fleet(role(f"{AWS_POLICY}/AdministratorAccess", more_policies=True))


@case(f"{ROLE} @ {ROLE_AT}", unjudged=(f"{ROLE} @ {ROLE_AT}",))
def nodes_allowed_all_of_iam_in_capitals_beside_what_is_not_yet_known() -> Fleet:
    wide = Statement(frozenset({"IAM:*"}), frozenset({"*"}))
    return a_fleet(role(statements=(wide,), more_statements=True))


@case(f"{ROLE} @ {ROLE_AT}")
def nodes_allowed_all_of_s3_by_a_policy_of_their_own() -> Fleet:
    return a_fleet(role(statements=(Statement(frozenset({"s3:*", "ec2:Describe*"}), frozenset({"*"})),)))


@case(f"{ROLE} @ queues.train")
def a_queue_with_all_of_s3() -> Fleet:
    return a_slurm_fleet(a_queue(policies=frozenset({f"{AWS_POLICY}/AmazonS3FullAccess"})))


@case(unjudged=(f"{ROLE} @ head",))
def a_head_node_with_policies_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(policies=UNKNOWN))


@case(f"{ROLE} @ queues.train", unjudged=(f"{ROLE} @ queues.train",))
def a_queue_that_administers_the_account_and_has_a_policy_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(policies=frozenset({f"{AWS_POLICY}/AdministratorAccess"}), more_policies=True))


# cluster-admin-named


@case(f"{ADMIN} @ {GRANT_AT}")
def everybody_who_is_logged_in_is_administrator() -> Fleet:
    return a_fleet(grant(("system:authenticated", "ml-admins")))


@case(f"{ADMIN} @ {GRANT_AT}")
def an_accounts_root_is_administrator() -> Fleet:
    return a_fleet(grant(("arn:aws:iam::111122223333:root",), "AmazonEKSClusterAdminPolicy"))


@case(f"{ADMIN} @ {GRANT_AT}")
def all_pods_of_a_namespace_are_administrators() -> Fleet:
    return a_fleet(grant(("system:serviceaccounts:ml", "system:serviceaccount:ml:default")))


@case()
def a_service_account_of_its_own_is_administrator() -> Fleet:
    return a_fleet(grant(("system:serviceaccount:argocd:argocd-server",)))


@case()
def everybody_may_look() -> Fleet:
    return a_fleet(grant(("system:authenticated",), "view"))


@case(unjudged=(f"{ADMIN} @ {GRANT_AT}",))
def administrators_not_yet_known() -> Fleet:
    return a_fleet(grant(UNKNOWN))


@case(unjudged=(f"{ADMIN} @ {GRANT_AT}",))
def rights_of_everybody_not_yet_known() -> Fleet:
    return a_fleet(grant(("system:unauthenticated",), UNKNOWN))
