"""Random settings of roles: a boundary, a path, policies, and existing roles."""

from typing import Any

from hypothesis import strategies as st

from tests.strategies import ACCOUNT

POLICIES = ("arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy", "arn:aws:iam::aws:policy/AmazonS3FullAccess")


def role(name: str) -> str:
    """The ARN of an existing role."""
    return f"arn:aws:iam::{ACCOUNT}:role/teams/{name}"


def iam(draw: st.DrawFn, *roles: str, path: str = "/teams/ml/", policies: bool = True) -> dict[str, Any]:
    """The block `iam`; nothing most often.

    Args:
        draw: draws.
        roles: the existing roles that there may be.
        path: what the path may be.
        policies: whether all nodes have one role that Muster makes.
    """
    if draw(st.integers(0, 2)):
        return {}
    made: dict[str, Any] = {"path": path} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        made["permissions-boundary"] = "arn:aws:iam::aws:policy/PowerUserAccess"
    given = [each for each in roles if draw(st.booleans())]
    if given:
        made["roles"] = {each: role(each) for each in given}
    if policies and "nodes" not in given:
        made["node-policies"] = [draw(st.sampled_from(POLICIES))]
    return {"iam": made}
