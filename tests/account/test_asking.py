"""Questions over HTTP, to an AWS that a test plays."""

import threading
import time
from dataclasses import replace

import pytest

from muster.account.query import MAX_PAGES, Query, Unanswered, UnansweredReason
from muster.account.query_runner import ATTEMPTS, CREDENTIALS_HELP, NoAccount, QueryRunner, Session
from tests.account.aws import Aws, Refused, playing

SUBNETS = Query("ec2", "DescribeSubnets", "subnets", {"SubnetIds": ["subnet-0123456789abcdef0"]})
RESERVATION = Query(
    "ec2",
    "DescribeCapacityReservations",
    "reservation cr-0123456789abcdef0",
    {"CapacityReservationIds": ("cr-0123456789abcdef0",)},
    absent=frozenset({"InvalidCapacityReservationId.NotFound"}),
)


def asked(aws: Aws, *questions: Query, monkeypatch: pytest.MonkeyPatch, let_go=lambda: None):
    """The answers to questions."""
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        try:
            return QueryRunner(Session("us-west-2"))(questions)
        finally:
            let_go()


def asked_before(questions) -> Session:
    """A session that has asked: what each process loads once, of services and of who plays them, takes no seconds of
    those that a test gives it."""
    session = Session("us-west-2")
    assert all(each.answered for each in QueryRunner(session)(questions))
    return session


def test_there_is_no_such_thing_is_an_answer(monkeypatch) -> None:
    """The error code that a question names; any other is no answer."""
    aws = Aws({"ec2.DescribeCapacityReservations": Refused("InvalidCapacityReservationId.NotFound", "no cr-0123")})
    absent, other = asked(
        aws,
        RESERVATION,
        replace(RESERVATION, about="other", absent=frozenset(), parameters={}),
        monkeypatch=monkeypatch,
    )
    assert (absent.absent, absent.answered, absent.result) == (True, True, None)
    assert (other.absent, other.answered) == (False, False)
    assert other.unanswered == Unanswered(UnansweredReason.REFUSED, "InvalidCapacityReservationId.NotFound: no cr-0123")


@pytest.mark.parametrize("code", ["RequestLimitExceeded", "ThrottlingException"])
def test_throttled_is_tried_again_and_then_told(monkeypatch, code) -> None:
    """`ATTEMPTS` times; nothing is known then."""
    aws = Aws({"ec2.DescribeSubnets": Refused(code, "slow down")})
    (answer,) = asked(aws, SUBNETS, monkeypatch=monkeypatch)
    assert answer.unanswered == Unanswered(UnansweredReason.THROTTLED, f"{code}: slow down")
    assert len(aws.asked) == ATTEMPTS


def test_throttled_once_is_answered(monkeypatch) -> None:
    turns = iter([Refused("RequestLimitExceeded", "slow down"), {"Subnets": []}])
    (answer,) = asked(Aws({"ec2.DescribeSubnets": lambda _: next(turns)}), SUBNETS, monkeypatch=monkeypatch)
    assert answer.result == {"Subnets": []}


def test_what_hangs_times_out(monkeypatch) -> None:
    """After the seconds of a request, times the attempts; the words say where."""
    monkeypatch.setattr("muster.account.query_runner.READ_SECONDS", 0.2)
    hung = threading.Event()
    aws = Aws({"ec2.DescribeSubnets": {"Subnets": []}}, before=lambda _: hung.wait(5) and None)
    try:
        (answer,) = asked(aws, SUBNETS, monkeypatch=monkeypatch, let_go=hung.set)
    finally:
        hung.set()
    assert answer.unanswered is not None
    assert (answer.unanswered.reason, len(aws.asked)) == (UnansweredReason.TIMED_OUT, ATTEMPTS)
    assert answer.unanswered.words.startswith("Read timeout on endpoint URL")


def test_all_questions_together_have_an_end(monkeypatch) -> None:
    """What is answered by then is kept, the others have timed out, and nobody waits for them."""
    hangs, let_go = threading.Event(), threading.Event()
    aws = Aws(
        {"ec2.DescribeSubnets": {"Subnets": []}, "sts.GetCallerIdentity": {"Account": "111122223333"}},
        before=lambda each: hangs.is_set() and each.service == "ec2" and let_go.wait(60) and None,
    )
    both = [SUBNETS, Query("sts", "GetCallerIdentity", "who")]
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        session = asked_before(both)
        hangs.set()
        began = time.monotonic()
        slow, quick = QueryRunner(session, seconds=4.0)(both)
        took = time.monotonic() - began
        let_go.set()
    assert took < 30
    assert quick.result == {"Account": "111122223333"}
    assert slow.unanswered == Unanswered(
        UnansweredReason.TIMED_OUT, ("no answer within 4 seconds, the limit of all queries together")
    )


CLOSED = "; if they work in other Regions, enable ap-east-1 (`aws account enable-region`)"


@pytest.mark.parametrize(
    ("region", "service", "code", "more"),
    [
        ("ap-east-1", "ec2", "AuthFailure", CLOSED),
        ("ap-east-1", "sts", "InvalidClientTokenId", CLOSED),
        ("ap-east-1", "eks", "UnrecognizedClientException", CLOSED),
        ("ap-east-1", "sts", "ExpiredToken", ""),
    ],
)
def test_credentials_that_aws_does_not_take_stop_the_run(monkeypatch, region, service, code, more) -> None:
    """Every answer would be the same: one sentence, with what to set. In a Region that accounts have to enable first
    the same code may mean that it is not enabled; expired credentials are just that."""
    operation = {"ec2": "DescribeSubnets", "sts": "GetCallerIdentity", "eks": "ListClusters"}[service]
    with playing(Aws({f"{service}.{operation}": Refused(code, "not able to validate")})) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(NoAccount) as raised:
            QueryRunner(Session(region))([Query(service, operation, "it")])
    assert str(raised.value) == (
        f"AWS does not accept the credentials: {code}: not able to validate; {CREDENTIALS_HELP}{more}"
    )


def test_no_credentials(monkeypatch) -> None:
    """Said before anything is asked."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(NoAccount) as raised:
        Session("us-west-2")
    assert str(raised.value) == f"there are no AWS credentials; {CREDENTIALS_HELP}"


def test_a_profile_that_is_not_there(monkeypatch, tmp_path) -> None:
    """Those that are are named."""
    config = tmp_path / "config"
    config.write_text("[profile ml]\nregion=us-west-2\n[profile ops]\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    with pytest.raises(NoAccount) as raised:
        Session("us-west-2", "mll")
    assert str(raised.value) == f"there is no AWS profile 'mll' (profiles: ml, ops); {CREDENTIALS_HELP}"


def test_a_question_is_asked_once(monkeypatch) -> None:
    """However often it is put, in one round and in the next, in whatever order its parameters stand."""
    aws = Aws({"ec2.DescribeSubnets": {"Subnets": []}})
    one = Query("ec2", "DescribeSubnets", "one", {"Filters": [{"Name": "a", "Values": ["b"]}], "DryRun": False})
    two = Query("ec2", "DescribeSubnets", "two", {"DryRun": False, "Filters": ({"Values": ("b",), "Name": "a"},)})
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        asker = QueryRunner(Session("us-west-2"))
        first, again = asker([one, two])
        assert asker([two]) == [again]
    assert first is again
    assert len(aws.asked) == 1


def pages(of: int) -> Aws:
    """Subnets of so many pages."""

    def page(parameters):
        number = int(parameters.get("NextToken") or 0)
        more = {"NextToken": str(number + 1)} if number + 1 < of else {}
        return {"Subnets": [{"AvailableIpAddressCount": number}], **more}

    return Aws({"ec2.DescribeSubnets": page})


def test_all_pages_are_one_answer(monkeypatch) -> None:
    """In their order."""
    (answer,) = asked(pages(MAX_PAGES), Query("ec2", "DescribeSubnets", "all"), monkeypatch=monkeypatch)
    assert answer.result is not None
    assert [each["AvailableIpAddressCount"] for each in answer.result["Subnets"]] == [*range(MAX_PAGES)]


def test_pages_without_end_are_no_answer(monkeypatch) -> None:
    """A part of an answer would be taken for all of it."""
    aws = pages(MAX_PAGES + 10)
    (answer,) = asked(aws, Query("ec2", "DescribeSubnets", "all"), monkeypatch=monkeypatch)
    assert answer.unanswered is not None
    assert answer.unanswered.reason is UnansweredReason.UNREADABLE
    assert len(aws.asked) == MAX_PAGES + 1
