"""Who asked, and what that identity may."""

from tests.policies.account_limits import YESTERDAY, created, said
from tests.policies.case import cases

cases(
    an_identity_that_may_not_all=lambda: created(
        said(permissions={"ec2:RunInstances": False, "eks:CreateCluster": True})
    ),
    an_identity_of_which_a_condition_decides=lambda: created(
        said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": True, "iam:PassRole": None})
    ),
    an_identity_that_may_not_all_that_is_known=lambda: created(
        said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": False})
    ),
    a_preflight_that_was_not_told_the_rights=lambda: created(said(**YESTERDAY, permissions={})),
)
