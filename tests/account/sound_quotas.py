"""An account with room for a reference stack: quotas, what others use of them, training plans, rights."""

from collections.abc import Callable, Mapping
from typing import Any

from muster.account.topic import PreflightRequest
from muster.hardware import hyperpod_quotas, quotas
from tests.account.aws import Answers, Refused
from tests.account.needs import needs

ACCOUNT = "222233334444"
ARN = f"arn:aws:sts::{ACCOUNT}:assumed-role/ml-deployer/someone"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/teams/ml-deployer"
METRICS = {
    quotas.P.code: "P/OnDemand",
    quotas.G.code: "G/OnDemand",
    quotas.TRN.code: "Trn/OnDemand",
    quotas.STANDARD.code: "Standard/OnDemand",
    quotas.P4_SPOT.code: "P/Spot",
    quotas.P5_SPOT.code: "P5/Spot",
    quotas.G_SPOT.code: "G/Spot",
    quotas.TRN_SPOT.code: "Trn/Spot",
    quotas.STANDARD_SPOT.code: "Standard/Spot",
}
"""Quotas with a metric -> its class."""
IN_USE = 64
"""vCPUs of each of them, by others."""
ROOM = 10_000_000
"""Of everything."""
OTHERS = {"InstanceGroupName": "others", "InstanceType": "ml.p5.48xlarge", "CurrentCount": 2, "TargetCount": 3}
"""What another HyperPod cluster has."""


def answers(stack: str) -> dict[str, Answers]:
    """What AWS says: enough of everything, nothing of it the stack's own."""
    wanted = needs(stack)
    return {
        "sts.GetCallerIdentity": {"Account": ACCOUNT, "Arn": ARN, "UserId": "AROAEXAMPLE:someone"},
        "iam.GetRole": {"Role": _role()},
        "iam.GetInstanceProfile": {"InstanceProfile": {**_PROFILE, "Roles": [_role()]}},
        "iam.GetPolicy": lambda asked: {"Policy": {"Arn": asked["PolicyArn"]}},
        "iam.SimulatePrincipalPolicy": allowed,
        "service-quotas.GetServiceQuota": quota,
        "service-quotas.GetAWSDefaultServiceQuota": quota,
        "service-quotas.ListServiceQuotas": {"Quotas": listed(wanted)},
        "service-quotas.ListAWSDefaultServiceQuotas": {"Quotas": DEFAULTS},
        "cloudwatch.GetMetricData": used,
        "ec2.DescribeInstances": {"Reservations": []},
        "ec2.DescribeAddresses": {"Addresses": [{"PublicIp": "192.0.2.1"}]},
        "ec2.DescribeVpcs": {"Vpcs": [{"VpcId": "vpc-0123456789abcdef0"}]},
        "ec2.DescribeNatGateways": {"NatGateways": []},
        "ec2.DescribeInternetGateways": {"InternetGateways": [{"InternetGatewayId": "igw-0123456789abcdef0"}]},
        "eks.ListClusters": {"clusters": ["another"]},
        "eks.ListNodegroups": {"nodegroups": ["others"]},
        "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
        "fsx.DescribeFileSystems": {"FileSystems": []},
        "sagemaker.DescribeCluster": hyperpod_cluster,
        "sagemaker.DescribeTrainingPlan": lambda asked: plan(stack, str(asked["TrainingPlanName"])),
    }


def hyperpod_cluster(asked: Mapping[str, Any]) -> dict[str, Any] | Refused:
    """Another one runs; the stack's own is not made yet."""
    if asked["ClusterName"] != "another":
        return Refused("ResourceNotFound", "Cluster not found")
    return {"ClusterName": "another", "InstanceGroups": [OTHERS]}


_PROFILE = {
    "Path": "/",
    "InstanceProfileName": "nodes",
    "InstanceProfileId": "AIPAEXAMPLEEXAMPLE",
    "Arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/nodes",
    "CreateDate": "2026-01-01T00:00:00Z",
}


def _role() -> dict[str, Any]:
    made = {"Path": "/teams/", "RoleName": "ml-deployer", "RoleId": "AROAEXAMPLEEXAMPLE", "Arn": ROLE}
    return {**made, "CreateDate": "2026-01-01T00:00:00Z"}


def allowed(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Everything is."""
    return simulated(asked, ())


def simulated(asked: Mapping[str, Any], denied: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """What the simulation says where some actions are denied."""
    results = [
        {
            "EvalActionName": each,
            "EvalDecision": "implicitDeny" if each in denied else "allowed",
            "MissingContextValues": [],
            **(more if each in denied else {}),
        }
        for each in asked["ActionNames"]
    ]
    return {"EvaluationResults": results, "IsTruncated": False}


DEFAULTS = [{"QuotaName": name, "Value": float(ROOM)} for name in hyperpod_quotas.CODES]
"""Of SageMaker's quotas for HyperPod."""


def quota(asked: Mapping[str, Any], value: float = ROOM) -> dict[str, Any]:
    """A quota as Service Quotas has it, with its metric if it has one."""
    code = asked["QuotaCode"]
    metric = {
        "MetricNamespace": "AWS/Usage",
        "MetricName": "ResourceCount",
        "MetricDimensions": {"Class": METRICS.get(code, ""), "Resource": "vCPU", "Service": "EC2", "Type": "Resource"},
        "MetricStatisticRecommendation": "Maximum",
    }
    said = {"ServiceCode": asked["ServiceCode"], "QuotaCode": code, "Value": value}
    return {"Quota": {**said, **({"UsageMetric": metric} if code in METRICS else {})}}


def listed(wanted: PreflightRequest) -> list[dict[str, Any]]:
    """SageMaker's list: the quotas of the stack's types among others."""
    names = [f"{each.instance_type} for cluster usage" for each in wanted.blueprint.hyperpod_groups]
    return [{"QuotaName": name, "Value": float(ROOM)} for name in ("ml.t3.medium for endpoint usage", *names)]


def used(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Every metric, with an older point behind the latest."""
    return in_use(asked, lambda of_class: IN_USE)


def in_use(asked: Mapping[str, Any], use: Callable[[str], int]) -> dict[str, Any]:
    """What CloudWatch says where so much is in use by class: of a metric that there is not, no points."""
    stamps = ["2026-11-21T10:00:00Z", "2026-11-21T09:55:00Z"]
    found = []
    for each in asked["MetricDataQueries"]:
        metric = each["MetricStat"]["Metric"]
        dimensions = {one["Name"]: one["Value"] for one in metric["Dimensions"]}
        name = (metric["Namespace"], metric["MetricName"], dimensions.get("Resource"))
        there = name == ("AWS/Usage", "ResourceCount", "vCPU") and dimensions.get("Class") in METRICS.values()
        values = [float(use(dimensions["Class"])), float(ROOM)] if there else []
        stamped = {"Timestamps": stamps[: len(values)], "Values": values}
        found.append({"Id": each["Id"], "StatusCode": "Complete", **stamped})
    return {"MetricDataResults": found}


def plan(stack: str, arn: str) -> dict[str, Any] | Exception:
    """The training plan as the stack's facts have it."""
    blueprint = needs(stack).blueprint
    known = blueprint.facts.training_plans.get(arn) if blueprint.facts else None
    if known is None:
        return Refused("ResourceNotFound", f"Training plan {arn} not found")
    held = {"InstanceType": known.instance_type, "AvailabilityZone": known.zone, "Status": "Active"}
    return {
        "TrainingPlanArn": arn,
        "TrainingPlanName": arn.rpartition("/")[2],
        "Status": str(known.state),
        "TotalInstanceCount": known.total_instances,
        "AvailableInstanceCount": known.total_instances,
        "TargetResources": list(known.targets or ()),
        "EndTime": known.end.isoformat() if known.end else "2027-06-01T00:00:00Z",
        "ReservedCapacitySummaries": [
            {**held, "ReservedCapacityArn": f"{arn}-1", "TotalInstanceCount": known.total_instances}
        ],
    }
