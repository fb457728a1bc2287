"""Answers that are none: garbled, cut off, a proxy's page, values of wrong types. Each is unanswered, none a crash."""

from collections.abc import Mapping
from functools import cache

import botocore.session
import pytest
from botocore.parsers import ResponseParserError

from muster.account.caller_identity import identity_of
from muster.account.query import Answer, Query
from muster.account.query_runner import QueryRunner
from muster.account.response_parsing import ParserFactory
from muster.account.session import Session
from tests.account.accounts import Account, write
from tests.account.aws import Aws, playing

OPERATIONS = {
    "ec2": ("ec2", "DescribeSubnets"),
    "query": ("sts", "GetCallerIdentity"),
    "rest-xml": ("s3", "GetBucketLocation"),
    "json": ("service-quotas", "GetServiceQuota"),
    "rest-json": ("eks", "DescribeClusterVersions"),
}
"""One of each protocol."""


@cache
def operation(protocol: str):
    """The protocol of the operation as botocore resolves it, and the shape of its answers."""
    service, name = OPERATIONS[protocol]
    model = botocore.session.Session().get_service_model(service)
    return model.resolved_protocol, model.operation_model(name).output_shape


def parse(protocol: str, body: bytes, status: int = 200):
    resolved, shape = operation(protocol)
    return ParserFactory().create_parser(resolved).parse({"body": body, "headers": {}, "status_code": status}, shape)


PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>to the network</body></html>"
WELL_FORMED = b"<html><head><title>Sign in</title></head><body/></html>"
SUBNETS = b"<DescribeSubnetsResponse><subnetSet><item>%s</item></subnetSet></DescribeSubnetsResponse>"


ZONES = (
    b"<DescribeAvailabilityZonesResponse><availabilityZoneInfo><item><zoneName>%s</zoneName><zoneId>%s</zoneId>"
    b"<zoneType>availability-zone</zoneType><zoneState>available</zoneState></item></availabilityZoneInfo>"
    b"</DescribeAvailabilityZonesResponse>"
)
"""Of the right form. Zones have other names."""


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


@pytest.mark.parametrize("protocol", OPERATIONS)
@pytest.mark.parametrize("page", [PAGE, WELL_FORMED])
def test_a_page_is_no_answer(protocol, page) -> None:
    """Also where it is well-formed XML, and comes as if all were well."""
    with pytest.raises(ResponseParserError, match="<title>Sign in</title>"):
        parse(protocol, page)


GARBLED = {
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
    "no number": ("json", b'{"Quota": {"Value": NaN}}'),
    "without end": ("json", b'{"Quota": {"Value": 1e999}}'),
    "null in a list": ("rest-json", b'{"clusterVersions": [null]}'),
    "text for a list": ("rest-json", b'{"clusterVersions": "1.35"}'),
    "no date": ("rest-json", b'{"clusterVersions": [{"endOfStandardSupportDate": "soon"}]}'),
    "a date beyond all": ("rest-json", b'{"clusterVersions": [{"endOfStandardSupportDate": 1e300}]}'),
    "empty XML": ("ec2", b""),
    "cut-off XML": ("query", b"<GetCallerIdentityResponse><GetCallerIdentityResult><Acc"),
    "other XML": ("query", b"<SomeResponse/>"),
    "no XML": ("rest-xml", b"\0\0\0"),
    "no number in XML": ("ec2", SUBNETS % b"<availableIpAddressCount>many</availableIpAddressCount>"),
    "entities that grow": (
        "ec2",
        b'<!DOCTYPE d [<!ENTITY a "%s">%s]><d>&j;</d>'
        % (b"x" * 100, b"".join(b'<!ENTITY %c "%s">' % (n, b"&%c;" % (n - 1) * 30) for n in b"bcdefghij")),
    ),
}


@pytest.mark.parametrize("what", GARBLED)
def test_what_cannot_be_read_is_refused_in_a_short_line(what) -> None:
    with pytest.raises(ResponseParserError) as raised:
        parse(*GARBLED[what])
    assert len(str(raised.value)) < 300
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("body", [b"[]", b'{"__type": ["a"]}', b'{"__type": "a", "message": {"b": 1}}', b"\xff\xfe"])
def test_an_error_that_is_no_error_of_aws_is_refused(body) -> None:
    with pytest.raises(ResponseParserError):
        parse("json", body, 400)


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        ("json", b'{"Quota": {"Value": 5, "QuotaName": "a", "Adjustable": true, "New": [1]}}'),
        ("rest-json", b'{"clusterVersions": [{"clusterVersion": "1.35", "endOfStandardSupportDate": 1.7e9}]}'),
        ("rest-json", b"{}"),
        ("ec2", SUBNETS % b"<availableIpAddressCount>5</availableIpAddressCount><new><b/></new>"),
        ("query", b"<GetCallerIdentityResponse><GetCallerIdentityResult/></GetCallerIdentityResponse>"),
    ],
)
def test_what_aws_may_say_is_read(protocol, body) -> None:
    """A number without a point, a member that is newer than the model, nothing at all."""
    parse(protocol, body)


def test_a_connection_that_is_cut_is_not_answered(monkeypatch) -> None:
    """The answer is shorter than its own Content-Length."""

    class Cut(Aws):
        def __call__(self, environ, start):
            start("200 OK", [("Content-Type", "text/xml"), ("Content-Length", "1000")])
            return [SUBNETS[:40]]

    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    with playing(Cut()) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        (answer,) = QueryRunner(Session("us-west-2"))([Query("ec2", "DescribeSubnets", "it")])
    assert answer.unanswered is not None


@pytest.mark.parametrize("arn", ["x", "", "arn:aws:sts::111122223333"])
def test_who_asks_is_not_known_by_what_is_no_arn(arn) -> None:
    question = Query("sts", "GetCallerIdentity", "it")
    assert identity_of(Answer(question, {"Arn": arn})) is None


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("ec2.DescribeCapacityReservations", WELL_FORMED),
        ("service-quotas.GetServiceQuota", b'{"Quota": {"Value": "many"}}'),
        ("ec2.DescribeAvailabilityZones", ZONES % (b"x", b"x")),
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
