"""Questions over HTTP, to an AWS that a test plays."""

import pytest

from muster.account.answer import Reason
from muster.account.asking import Asker
from muster.account.question import Question
from muster.account.session import Session
from tests.account.aws import Aws, Misspelt, playing

SUBNETS = Question("ec2", "DescribeSubnets", "subnets", {"SubnetIds": ["subnet-0123456789abcdef0"]})
RESERVATION = Question(
    "ec2",
    "DescribeCapacityReservations",
    "reservation cr-0123456789abcdef0",
    {"CapacityReservationIds": ("cr-0123456789abcdef0",)},
    absent=frozenset({"InvalidCapacityReservationId.NotFound"}),
)


def asked(aws: Aws, *questions: Question, monkeypatch: pytest.MonkeyPatch):
    """The answers to questions."""
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        return Asker(Session("us-west-2"))(questions)


@pytest.mark.parametrize(
    ("service", "operation", "parameters", "said"),
    [
        ("ec2", "DescribeSubnets", {}, {"Subnets": [{"SubnetId": "subnet-1", "MapPublicIpOnLaunch": False}]}),
        ("sts", "GetCallerIdentity", {}, {"Account": "111122223333"}),
        ("service-quotas", "GetServiceQuota", {"ServiceCode": "ec2", "QuotaCode": "L-1"}, {"Quota": {"Value": 96.0}}),
        ("eks", "DescribeClusterVersions", {}, {"clusterVersions": [{"clusterVersion": "1.35"}]}),
        ("eks", "DescribeCluster", {"name": "c"}, {"cluster": {"name": "c", "version": "1.35"}}),
        ("sagemaker", "DescribeTrainingPlan", {"TrainingPlanName": "p"}, {"TrainingPlanName": "p"}),
        ("ssm", "GetParameter", {"Name": "/a"}, {"Parameter": {"Value": "ami-1"}}),
        ("fsx", "DescribeFileSystems", {}, {"FileSystems": [{"FileSystemId": "fs-0123456789abcdef0"}]}),
        ("s3", "ListObjectsV2", {"Bucket": "b"}, {"Contents": [{"Key": "on_create.sh"}]}),
        ("s3", "GetBucketVersioning", {"Bucket": "b"}, {"Status": "Enabled"}),
        (
            "s3",
            "GetPublicAccessBlock",
            {"Bucket": "b"},
            {"PublicAccessBlockConfiguration": {"BlockPublicAcls": True}},
        ),
        (
            "iam",
            "SimulatePrincipalPolicy",
            {"PolicySourceArn": "arn:aws:iam::111122223333:role/ml", "ActionNames": ["ec2:RunInstances"]},
            {"EvaluationResults": [{"EvalActionName": "ec2:RunInstances", "EvalDecision": "allowed"}]},
        ),
        ("ram", "GetResourceShareInvitations", {}, {"resourceShareInvitations": [{"status": "PENDING"}]}),
        ("resource-groups", "ListGroupResources", {"Group": "g"}, {"Resources": [{"Status": {"Name": "PENDING"}}]}),
        ("cloudwatch", "GetMetricData", {"MetricDataQueries": [], "StartTime": 0, "EndTime": 60}, {"Messages": []}),
        ("pricing", "GetProducts", {"ServiceCode": "AmazonEC2"}, {"PriceList": ["{}"]}),
    ],
)
def test_every_protocol_is_played(monkeypatch, service, operation, parameters, said) -> None:
    """What a test says of a service is what botocore reads, with what it asked."""
    aws = Aws({f"{service}.{operation}": said})
    (answer,) = asked(aws, Question(service, operation, "it", parameters), monkeypatch=monkeypatch)
    assert answer.result is not None, answer.unanswered
    assert {key: answer.result[key] for key in said} == said
    assert set(aws.of(f"{service}.{operation}")[0]) >= set(parameters) - {"StartTime", "EndTime", "MetricDataQueries"}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"Subnetz": []}, "no field 'Subnetz'"),
        ({"Subnets": [{"SubnetID": "subnet-1"}]}, "no field 'SubnetID'"),
        ({"Subnets": [{"State": "fine"}]}, "'fine' is none of pending, available"),
        (
            {"Subnets": [{"AvailableIpAddressCount": "8"}]},
            "Invalid type for parameter Subnets[0].AvailableIpAddressCount",
        ),
    ],
)
def test_what_aws_could_not_say_fails_the_test(monkeypatch, said, words) -> None:
    """A misspelt field, an unknown state, a wrong type."""
    with pytest.raises(Misspelt) as raised:
        asked(Aws({"ec2.DescribeSubnets": said}), SUBNETS, monkeypatch=monkeypatch)
    assert words in str(raised.value)


def test_nothing_said_is_denied(monkeypatch) -> None:
    """As to an identity without rights; the words are AWS's."""
    (answer,) = asked(Aws(), SUBNETS, monkeypatch=monkeypatch)
    assert answer.unanswered is not None
    assert answer.unanswered.reason is Reason.DENIED
    assert answer.unanswered.words.startswith("UnauthorizedOperation: You are not authorized")
