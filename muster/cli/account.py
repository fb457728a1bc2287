"""The AWS account, for the commands that query it: session, options, and advice about unanswered queries."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal
from muster.finding import WrongInput
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
    from muster.account.query import explain_no_answer

    for each in answers:
        lacking = missing_right(each)
        yield f"{explain_no_answer(each)}{f'; it needs the permission {lacking}' if lacking else ''}"


_LACKS = re.compile(r"not authorized to perform:? ([a-z0-9-]+:[A-Za-z0-9]+)")
"""The missing action in IAM's error messages (IAM user guide, "Access denied error messages")."""


def missing_right(answer: "Answer") -> str:
    """The IAM action that a denied query lacks: the action in AWS's message, else the action of the same operation.
    Empty if neither has one, and for a query that was not denied."""
    from muster.account.preflight import ACTIONS
    from muster.account.query import UnansweredReason

    if answer.unanswered is None or answer.unanswered.reason is not UnansweredReason.DENIED:
        return ""
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

    reasons = {each.unanswered.reason for each in answers if each.unanswered}
    network = "the network, and the variables HTTPS_PROXY and AWS_ENDPOINT_URL"
    if UnansweredReason.DENIED in reasons:
        lacking = sorted({name for each in answers if (name := missing_right(each))})
        which = f" ({list_names(lacking)})" if lacking else ""
        yield f"denied: your credentials lack permissions{which}; `{policy}` prints the policy for all queries"
    if reasons & {UnansweredReason.UNREACHABLE, UnansweredReason.TIMED_OUT}:
        yield f"not reached: check {network}, and the Region, {region}"
    if reasons & {UnansweredReason.UNREADABLE, UnansweredReason.INCOMPLETE}:
        yield f"unreadable: something between this machine and AWS may change answers; check {network}"
    if UnansweredReason.THROTTLED in reasons:
        yield "throttled: this account has reached AWS's request limit; try again in a minute"


def _explain_no_account(fault: "NoAccount") -> str:
    """Why the account cannot be queried, without user names and passwords."""
    from muster.account.query_runner import mask_user, mask_users

    # Without a scheme, only the variable shows that this part of the text is an address.
    given = os.environ.get("AWS_ENDPOINT_URL", "")
    return mask_users(str(fault).replace(given, mask_user(given)))
