"""The AWS account, for the commands that query it: session, options, and advice about unanswered queries."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal
from muster.cli.exits import WrongInput
from muster.message_text import list_names

if TYPE_CHECKING:
    from muster.account.query import Answer
    from muster.account.query_runner import NoAccount, QueryRunner

Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="NAME", help="Profile of ~/.aws/config. Default: $AWS_PROFILE."),
]


@contextmanager
def open_account(region: str, profile: str | None, what: str, *, instead: str = "") -> Iterator["QueryRunner"]:
    """A runner of queries to the account. On a terminal, a line of stderr counts the answers.

    Args:
        region: the Region to query.
        profile: a profile of ~/.aws/config; None for $AWS_PROFILE.
        what: the start of that line: ``querying AWS about p5-odcr``.
        instead: an alternative for the message about missing credentials.

    Raises:
        WrongInput: there are no credentials, or AWS does not accept them.
    """
    from muster.account.query_runner import NoAccount, QueryRunner, Session

    try:

        def tell(answered: int, of: int) -> None:
            terminal.show_status(f"{what}: {answered} of {of} answered")

        yield QueryRunner(Session(region, profile), tell if terminal.is_error_terminal() else None)
    except NoAccount as fault:
        raise WrongInput(f"{_explain_no_account(fault)}{instead}") from None
    finally:
        terminal.show_status("")


def unanswered_lines(answers: Iterable["Answer"]) -> Iterator[str]:
    """One line for each unanswered query: the query, the reason, and the remedy."""
    from muster.account.query import UnansweredReason, explain_no_answer

    for each in answers:
        assert each.unanswered is not None
        denied = each.unanswered.reason is UnansweredReason.DENIED
        lacking = missing_right(each) if denied else ""
        yield f"{explain_no_answer(each)}{f'; it needs the permission {lacking}' if lacking else ''}"


_LACKS = re.compile(r"not authorized to perform:? ([a-z0-9-]+:[A-Za-z0-9]+)")
"""The missing action in IAM's error messages (IAM user guide, "Access denied error messages")."""

_PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")


def missing_right(answer: "Answer") -> str:
    """The IAM action that a denied query lacks: the action in AWS's message, else the action of the same operation.
    Empty if neither has one."""
    from muster.account.preflight import ACTIONS

    assert answer.unanswered is not None
    if found := _LACKS.search(answer.unanswered.words):
        return found[1]
    return next((each for each in ACTIONS if each.endswith(f":{answer.question.operation}")), "")


def advice(answers: Sequence["Answer"], policy: str, region: str) -> Iterator[str]:
    """The remedies for unanswered queries, one line for each cause.

    Args:
        answers: the unanswered queries.
        policy: the command that prints the IAM policy.
        region: the Region of the queries.
    """
    from muster.account.query import UnansweredReason

    by: dict[UnansweredReason, list[Answer]] = {reason: [] for reason in UnansweredReason}
    for each in answers:
        if each.unanswered:
            by[each.unanswered.reason].append(each)
    if denied := by[UnansweredReason.DENIED]:
        lacking = sorted({name for each in denied if (name := missing_right(each))})
        which = f" ({list_names(lacking)})" if lacking else ""
        yield f"denied: your credentials lack permissions{which}; `{policy}` prints the policy for all queries"
    if by[UnansweredReason.UNREACHABLE] or by[UnansweredReason.TIMED_OUT]:
        yield f"not reached: check {_network()}, and the Region, {region}"
    if by[UnansweredReason.UNREADABLE] or by[UnansweredReason.INCOMPLETE]:
        yield f"unreadable: something between this machine and AWS may change answers; check {_network()}"
    if by[UnansweredReason.THROTTLED]:
        yield "throttled: this account has reached AWS's request limit; try again in a minute"


def _network() -> str:
    """The network, with the set environment variables of endpoint and proxy, without user names and passwords."""
    from muster.account.query_runner import mask_user

    names = ("AWS_ENDPOINT_URL", *_PROXIES)
    ways = [f"{name}={mask_user(value)}" for name in names if (value := os.environ.get(name))]
    return f"the network ({' and '.join(ways)})" if ways else "the network (no proxy and no AWS_ENDPOINT_URL is set)"


def _explain_no_account(fault: "NoAccount") -> str:
    """Why the account cannot be queried, without user names and passwords."""
    from muster.account.query_runner import mask_user, mask_users

    # Without a scheme, only the variable shows that this part of the text is an address.
    given = os.environ.get("AWS_ENDPOINT_URL", "")
    return mask_users(str(fault).replace(given, mask_user(given)))
