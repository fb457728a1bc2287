"""Answers that are none: garbled, cut off, a proxy's page, values of wrong types. Each is unanswered, none a crash."""

from collections.abc import Mapping
from socket import SHUT_RDWR

import pytest

from muster.account.caller_identity import identity_of
from muster.account.query import Answer, Query, complete
from muster.account.query_runner import QueryRunner, Session
from tests.account.accounts import Account, write
from tests.account.aws import Aws, playing

QUESTIONS = {
    "ec2": Query("ec2", "DescribeSubnets", "it", needs=("Subnets[].SubnetId",)),
    "query": Query("sts", "GetCallerIdentity", "it", needs=("Arn",)),
    "json": Query("service-quotas", "GetServiceQuota", "it", {"ServiceCode": "a", "QuotaCode": "b"}, needs=("Quota",)),
    "rest-json": Query("eks", "DescribeClusterVersions", "it", needs=("clusterVersions[].clusterVersion",)),
}
"""One of each protocol."""

PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>to the network</body></html>"
SUBNETS = b"<DescribeSubnetsResponse><subnetSet><item>%s</item></subnetSet></DescribeSubnetsResponse>"
ZONES = (
    b"<DescribeAvailabilityZonesResponse><availabilityZoneInfo><item><zoneName>x</zoneName><zoneId>x</zoneId>"
    b"</item></availabilityZoneInfo></DescribeAvailabilityZonesResponse>"
)
"""Of the right form. Zones have other names."""

GARBLED = {
    **{f"a page, {protocol}": (protocol, PAGE) for protocol in QUESTIONS},
    "empty JSON": ("json", b""),
    "cut-off JSON": ("json", b'{"Quota": {"Value": 9'),
    "a list": ("rest-json", b"[]"),
    "a number": ("json", b"5"),
    "null": ("rest-json", b"null"),
    "no UTF-8": ("json", b'{"Quota": "\xff"}'),
    "nested": ("rest-json", b"[" * 100_000),
    "digits without end": ("json", b'{"Quota": {"Value": ' + b"9" * 10_000 + b"}}"),
    "a number for an object": ("json", b'{"Quota": 5}'),
    "an object for text": ("json", b'{"Quota": {"QuotaName": {"a": 1}}}'),
    "text for a number": ("json", b'{"Quota": {"Value": "many"}}'),
    "null in a list": ("rest-json", b'{"clusterVersions": [null]}'),
    "text for a list": ("rest-json", b'{"clusterVersions": "1.35"}'),
    "no date": ("rest-json", b'{"clusterVersions": [{"endOfStandardSupportDate": "soon"}]}'),
    "a date beyond all": ("rest-json", b'{"clusterVersions": [{"endOfStandardSupportDate": 1e300}]}'),
    "a member that is missing": ("ec2", SUBNETS % b"<vpcId>vpc-1</vpcId>"),
    "empty XML": ("ec2", b""),
    "cut-off XML": ("query", b"<GetCallerIdentityResponse><GetCallerIdentityResult><Acc"),
    "other XML": ("query", b"<SomeResponse/>"),
    "no number in XML": ("ec2", SUBNETS % b"<availableIpAddressCount>many</availableIpAddressCount>"),
    "entities that grow": (
        "ec2",
        b'<!DOCTYPE d [<!ENTITY a "%s">%s]><d>&j;</d>'
        % (b"x" * 100, b"".join(b'<!ENTITY %c "%s">' % (n, b"&%c;" % (n - 1) * 30) for n in b"bcdefghij")),
    ),
}
ERRORS = [b"[]", b'{"__type": ["a"]}', PAGE, b"\xff\xfe"]


class Garbled(Aws):
    """Answers an operation, or all, with these bytes."""

    def __init__(self, body: bytes, status: int = 200, only: str = "", answers: Mapping = {}) -> None:
        super().__init__(dict(answers))
        self.body, self.status, self.only = body, status, only

    def _answered(self, request):
        known = super()._answered(request)
        last = self.asked[-1]
        if self.only and self.only != f"{last.service}.{last.operation}":
            return known
        return self.body, self.status, {"Content-Type": "application/octet-stream"}


def answered(question: Query, aws: Aws, monkeypatch) -> Answer:
    """What comes of a question."""
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        (answer,) = QueryRunner(Session("us-west-2"))([question])
    return complete(question, answer)


@pytest.mark.parametrize("what", GARBLED)
def test_what_cannot_be_read_is_no_answer(what, monkeypatch) -> None:
    """The reason is a short line."""
    protocol, body = GARBLED[what]
    answer = answered(QUESTIONS[protocol], Garbled(body), monkeypatch)
    assert answer.unanswered is not None
    assert answer.unanswered.reason in {"unreadable", "incomplete"}
    assert len(answer.unanswered.words) < 600
    assert "\n" not in answer.unanswered.words


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        ("json", b'{"Quota": {"Value": 5, "QuotaName": "a", "Adjustable": true, "New": [1]}}'),
        ("rest-json", b'{"clusterVersions": [{"clusterVersion": "1.35", "endOfStandardSupportDate": 1.7e9}]}'),
        ("ec2", SUBNETS % b"<subnetId>a</subnetId><availableIpAddressCount>5</availableIpAddressCount><new><b/></new>"),
    ],
)
def test_what_aws_may_say_is_read(protocol, body, monkeypatch) -> None:
    """A number without a point, a member that is newer than the model."""
    assert answered(QUESTIONS[protocol], Garbled(body), monkeypatch).result is not None


def test_an_error_that_is_no_error_of_aws_and_a_connection_that_is_cut_are_no_answers(monkeypatch) -> None:
    """The answer that is cut is shorter than its own Content-Length."""

    class Cut(Aws):
        def __call__(self, environ, start):
            start("200 OK", [("Content-Type", "text/xml"), ("Content-Length", "1000")])
            yield SUBNETS[:40]
            environ["werkzeug.socket"].shutdown(SHUT_RDWR)

    for question, aws in [*((QUESTIONS["json"], Garbled(each, 400)) for each in ERRORS), (QUESTIONS["ec2"], Cut())]:
        assert not answered(question, aws, monkeypatch).answered


@pytest.mark.parametrize("arn", ["x", "", "arn:aws:sts::111122223333"])
def test_who_asks_is_not_known_by_what_is_no_arn(arn) -> None:
    assert identity_of(Answer(QUESTIONS["query"], {"Arn": arn})) is None


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("ec2.DescribeCapacityReservations", PAGE),
        ("service-quotas.GetServiceQuota", b'{"Quota": {"Value": NaN}}'),
        ("ec2.DescribeAvailabilityZones", ZONES),
    ],
)
def test_a_preflight_judges_the_rest_and_is_not_clean(operation, body, muster, monkeypatch) -> None:
    account = Account.of("p5-odcr")
    write(muster.folder, "p5-odcr")
    with playing(Garbled(body, only=operation, answers=account.answers())) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ran = muster.judged("preflight", "p5-odcr", "--json", "--strict")
    assert ran.code == 4, ran.err or ran.out
    open_ = ran.json["notAnswered"]
    assert operation in {f"{each['service']}.{each['operation']}" for each in open_}
    assert {each["reason"] for each in open_} == {"unreadable"}
    assert ran.json["findings"] == []
