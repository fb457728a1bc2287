"""Who asked, and what that identity may."""

from muster.fleet.resources import Fleet
from tests.policies.account_limits import MAY, PLANE, UNTOLD, YESTERDAY, created, said
from tests.policies.case import case


@case(f"{MAY} @ {PLANE}")
def an_identity_that_may_not_all() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": False, "eks:CreateCluster": True}))


@case(unjudged=(f"{MAY} @ {PLANE}",))
def an_identity_of_which_a_condition_decides() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": True, "iam:PassRole": None}))


@case(f"{MAY} @ {PLANE}", unjudged=(f"{MAY} @ {PLANE}",))
def an_identity_that_may_not_all_that_is_known() -> Fleet:
    return created(said(permissions={"ec2:RunInstances": None, "eks:CreateCluster": False}))


@case(unjudged=(f"{MAY} @ {PLANE}", *UNTOLD))
def a_preflight_that_was_not_told_the_rights() -> Fleet:
    return created(said(**YESTERDAY, permissions={}))
