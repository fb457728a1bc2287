"""Who asked, and what that identity may."""

from tests.policies.account_limits import created, said
from tests.policies.case import cases

cases(
    an_identity_that_may_not_all_that_is_known=lambda: created(
        said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": False})
    ),
)
