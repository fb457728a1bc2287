"""Questions over HTTP, to an AWS that a test plays."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from muster.account.query import MAX_PAGES, Answer, Query, Unanswered, UnansweredReason
from muster.account.query_runner import ATTEMPTS, NoAccount, QueryRunner, Session
from tests.account.aws import Aws, Refused, playing

SUBNETS = Query("ec2", "DescribeSubnets", "subnets", {"SubnetIds": ["subnet-0123456789abcdef0"]})
RESERVATION = Query(
    "ec2",
    "DescribeCapacityReservations",
    "reservation cr-0123456789abcdef0",
    {"CapacityReservationIds": ("cr-0123456789abcdef0",)},
    absent=frozenset({"InvalidCapacityReservationId.NotFound"}),
)
NONE: dict[str, Any] = {"Subnets": []}

Ask = Callable[..., list[Answer]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The answers of an AWS to questions; or of one that answers `DescribeSubnets` so."""

    def ask(
        aws: Any, *questions: Query, let_go: Callable[[], object] = lambda: None, region: str = "us-west-2"
    ) -> list[Answer]:
        with playing(aws if isinstance(aws, Aws) else Aws({"ec2.DescribeSubnets": aws})) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            try:
                return [*QueryRunner(Session(region))(questions or [SUBNETS])]
            finally:
                let_go()

    return ask


def test_there_is_no_such_thing_is_an_answer(asked: Ask) -> None:
    """The error code that a question names; any other is no answer."""
    code = "InvalidCapacityReservationId.NotFound"
    aws = Aws({"ec2.DescribeCapacityReservations": Refused(code, "no cr-0123")})
    absent, other = asked(aws, RESERVATION, replace(RESERVATION, about="other", absent=frozenset(), parameters={}))
    assert (absent.absent, absent.answered, absent.result) == (True, True, None)
    assert (other.absent, other.answered) == (False, False)
    assert other.unanswered == Unanswered(UnansweredReason.REFUSED, f"{code}: no cr-0123")


@pytest.mark.parametrize("code", ["RequestLimitExceeded", "ThrottlingException"])
def test_throttled_is_tried_again_and_then_told(asked: Ask, code: str) -> None:
    """`ATTEMPTS` times; nothing is known then."""
    aws = Aws({"ec2.DescribeSubnets": Refused(code, "slow down")})
    (answer,) = asked(aws)
    assert answer.unanswered == Unanswered(UnansweredReason.THROTTLED, f"{code}: slow down")
    assert len(aws.asked) == ATTEMPTS
    turns = iter([Refused(code, "slow down"), NONE])
    assert asked(lambda _: next(turns))[0].result == NONE


def test_what_hangs_times_out(asked: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the seconds of a request, times the attempts."""
    monkeypatch.setattr("muster.account.query_runner.READ_SECONDS", 0.2)
    hung = threading.Event()
    aws = Aws({"ec2.DescribeSubnets": NONE}, before=lambda _: hung.wait(5) and None)
    (answer,) = asked(aws, let_go=hung.set)
    assert answer.unanswered is not None
    assert (answer.unanswered.reason, len(aws.asked)) == (UnansweredReason.TIMED_OUT, ATTEMPTS)


def test_all_questions_together_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is answered by then is kept, the others have timed out, and nobody waits for them. What each process loads
    once, of services and of who plays them, is loaded before: it takes none of the seconds."""
    hangs, let_go = threading.Event(), threading.Event()
    aws = Aws(
        {"ec2.DescribeSubnets": NONE, "sts.GetCallerIdentity": {"Account": "111122223333"}},
        before=lambda each: hangs.is_set() and each.service == "ec2" and let_go.wait(60) and None,
    )
    both = [SUBNETS, Query("sts", "GetCallerIdentity", "who")]
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        session = Session("us-west-2")
        assert all(each.answered for each in QueryRunner(session)(both))
        hangs.set()
        began = time.monotonic()
        slow, quick = QueryRunner(session, seconds=4.0)(both)
        took = time.monotonic() - began
        let_go.set()
    assert took < 30
    assert quick.result == {"Account": "111122223333"}
    assert slow.unanswered is not None
    assert slow.unanswered.reason is UnansweredReason.TIMED_OUT


@pytest.mark.parametrize(
    ("service", "code", "closed"),
    [
        ("ec2", "AuthFailure", True),
        ("sts", "InvalidClientTokenId", True),
        ("eks", "UnrecognizedClientException", True),
        ("sts", "ExpiredToken", False),
    ],
)
def test_credentials_that_aws_does_not_take_stop_the_run(asked: Ask, service: str, code: str, closed: bool) -> None:
    """Every answer would be the same. The Region is one that accounts have to enable first: there the same code may
    mean that it is not enabled; expired credentials are just that."""
    operation = {"ec2": "DescribeSubnets", "sts": "GetCallerIdentity", "eks": "ListClusters"}[service]
    with pytest.raises(NoAccount, match=code) as raised:
        asked(Aws({f"{service}.{operation}": Refused(code)}), Query(service, operation, "it"), region="ap-east-1")
    assert ("enable-region" in str(raised.value)) is closed


def test_no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said before anything is asked."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(NoAccount, match="credentials"):
        Session("us-west-2")


def test_a_profile_that_is_not_there(monkeypatch, tmp_path) -> None:
    """Those that are are named."""
    config = tmp_path / "config"
    config.write_text("[profile ml]\nregion=us-west-2\n[profile ops]\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    with pytest.raises(NoAccount, match=r"'mll'.*ml, ops"):
        Session("us-west-2", "mll")


def test_a_question_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is put, in one round and in the next, in whatever order its parameters stand."""
    aws = Aws({"ec2.DescribeSubnets": NONE})
    one = Query("ec2", "DescribeSubnets", "one", {"Filters": [{"Name": "a", "Values": ["b"]}], "DryRun": False})
    two = Query("ec2", "DescribeSubnets", "two", {"DryRun": False, "Filters": ({"Values": ("b",), "Name": "a"},)})
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        asker = QueryRunner(Session("us-west-2"))
        first, again = asker([one, two])
        assert asker([two]) == [again]
    assert first is again
    assert len(aws.asked) == 1


@pytest.mark.parametrize("of", [MAX_PAGES, MAX_PAGES + 10])
def test_all_pages_are_one_answer(asked: Ask, of: int) -> None:
    """In their order. Pages without end are none: a part of an answer would be taken for all of it."""

    def page(parameters: Any) -> dict[str, Any]:
        number = int(parameters.get("NextToken") or 0)
        more = {"NextToken": str(number + 1)} if number + 1 < of else {}
        return {"Subnets": [{"AvailableIpAddressCount": number}], **more}

    aws = Aws({"ec2.DescribeSubnets": page})
    (answer,) = asked(aws, Query("ec2", "DescribeSubnets", "all"))
    if of > MAX_PAGES:
        assert answer.unanswered is not None
        assert answer.unanswered.reason is UnansweredReason.UNREADABLE
        assert len(aws.asked) == MAX_PAGES + 1
    else:
        assert answer.result is not None
        assert [each["AvailableIpAddressCount"] for each in answer.result["Subnets"]] == [*range(of)]
