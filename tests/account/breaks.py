"""Ways in which one fact of an account is wrong."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.account import sound_ec2, sound_quotas, sound_services
from tests.account.accounts import Account
from tests.account.aws import Refused

Break = Callable[[Account], Any]


def reservation(**said: Any) -> Break:
    """The stack's reservation is otherwise."""
    return lambda account: account.reservation.update(said)


def subnets(index: int, **said: Any) -> Break:
    """A subnet is otherwise."""
    return lambda account: account.ec2.subnets[index].update(said)


def answer(operation: str, said: Any) -> Break:
    """An operation is answered otherwise."""
    return lambda account: account.others.__setitem__(operation, said)


def quota(code: str, value: float) -> Break:
    """One quota is that."""

    def say(asked: Mapping[str, Any]) -> Any:
        return sound_quotas.quota(asked, value if asked["QuotaCode"] == code else sound_quotas.ROOM)

    return lambda account: account.others.update(
        {"service-quotas.GetServiceQuota": say, "service-quotas.GetAWSDefaultServiceQuota": say}
    )


def in_use(of_class: str, number: int) -> Break:
    """So many vCPUs of a class are in use."""

    def say(asked: Mapping[str, Any]) -> Any:
        return sound_quotas.in_use(asked, lambda each: number if each == of_class else sound_quotas.IN_USE)

    return answer("cloudwatch.GetMetricData", say)


def hyperpod(name: str, value: float) -> Break:
    """One of SageMaker's quotas is that."""
    return answer("service-quotas.ListServiceQuotas", {"Quotas": [{"QuotaName": name, "Value": value}]})


def gone(account: Account) -> None:
    """The reservation is not there."""
    account.ec2.reservations.clear()


def without_nat(account: Account) -> None:
    """The first private subnet's table has no default route."""
    private = next(each for each in account.ec2.tables if any("NatGatewayId" in route for route in each["Routes"]))
    first, *others = private["Associations"]
    private["Associations"] = others
    local = [each for each in private["Routes"] if "NatGatewayId" not in each]
    account.ec2.tables.append({**private, "Routes": local, "Associations": [first]})


def nat_without_a_route(account: Account) -> None:
    """The NAT gateway stands among the private subnets."""
    account.ec2.tables.append(
        {**account.ec2.tables[-1], "Routes": [], "Associations": [{"SubnetId": account.ec2.nats[0]["SubnetId"]}]}
    )
    del account.ec2.tables[-2]


def with_a_closed_endpoint(account: Account) -> None:
    """One lets only a group in that no node carries."""
    without_nat(account)
    account.ec2.endpoints += [sound_ec2.interface(account.ec2, each) for each in ("ecr.api", "ecr.dkr")]
    group = {"GroupId": "sg-0fedcba9876543210"}
    account.ec2.endpoints.append(
        sound_ec2.interface(account.ec2, "ec2", IsEgress=False, ReferencedGroupInfo=group, **sound_ec2.EVERYTHING)
    )
    account.ec2.endpoints.append(sound_ec2.gateway("s3", sound_ec2.PRIVATE))


def elsewhere(account: Account) -> None:
    """No zone of the group's offers the type."""
    account.ec2.offerings["p5.48xlarge"] = ["us-west-2d"]


def without_nvidia(account: Account) -> None:
    """There is no image with NVIDIA's drivers."""
    known = account.others["ssm.GetParameter"]
    assert callable(known)

    def say(asked: Mapping[str, Any]) -> Any:
        return Refused("ParameterNotFound") if "nvidia" in asked["Name"] else known(asked)

    account.others["ssm.GetParameter"] = say


def _altered(operation: str, alter: Callable[[Any], Any], when: str = "") -> Break:
    """An operation's own answer, altered; with `when`, only where the query has that parameter."""

    def wrong(account: Account) -> None:
        known: Any = account.others[operation]

        def say(asked: Mapping[str, Any]) -> Any:
            said = known(asked) if callable(known) else known
            return said if when and not asked.get(when) else alter(said)

        account.others[operation] = say

    return wrong


def plan(**said: Any) -> Break:
    """The stack's training plan is otherwise."""
    return _altered("sagemaker.DescribeTrainingPlan", lambda known: {**known, **said})


def in_zone(zone: str, type_: str = "ml.p5en.48xlarge") -> dict[str, Any]:
    """A part of a training plan."""
    arn = "arn:aws:sagemaker:us-west-2:111122223333:reserved-capacity/spring"
    held = {"ReservedCapacityArn": arn, "InstanceType": type_, "TotalInstanceCount": 8}
    return {**held, "Status": "Active", "AvailabilityZone": zone}


def cluster(**said: Any) -> Break:
    """The EKS cluster that exists is otherwise."""
    return _altered("eks.DescribeCluster", lambda known: {"cluster": {**known["cluster"], **said}})


def version(**said: Any) -> Break:
    """EKS says otherwise of the stack's Kubernetes version."""

    def wrong(account: Account) -> None:
        own = account.wanted.blueprint.described.kubernetes  # type: ignore[union-attr]
        listed: Any = account.others["eks.DescribeClusterVersions"]
        every = [{**each, **said} if each["clusterVersion"] == own else each for each in listed["clusterVersions"]]
        account.others["eks.DescribeClusterVersions"] = {"clusterVersions": every}

    return wrong


def another_hyperpod_cluster(account: Account) -> None:
    """Another HyperPod cluster is on the same EKS cluster."""
    arn = sound_services.cluster_arn(account.wanted)
    account.others["sagemaker.ListClusters"] = {"ClusterSummaries": [{"ClusterName": "theirs"}]}
    account.others["sagemaker.DescribeCluster"] = {
        "ClusterName": "theirs",
        "Orchestrator": {"Eks": {"ClusterArn": arn}},
        "InstanceGroups": [],
    }


def file_system(**said: Any) -> Break:
    """The file system that exists is otherwise; a key of None is left out."""

    def alter(known: Any) -> Any:
        one = {**known["FileSystems"][0], **said}
        return {"FileSystems": [{key: each for key, each in one.items() if each is not None}]}

    return _altered("fsx.DescribeFileSystems", alter, "FileSystemIds")


def file_system_in_another_vpc(account: Account) -> None:
    """With the same addresses."""
    other = "vpc-0fedcba9876543210"
    account.ec2.vpcs.append({"VpcId": other, "CidrBlockAssociationSet": [{"CidrBlock": "10.0.0.0/16"}]})
    file_system(VpcId=other)(account)


def file_system_in_another_zone(account: Account) -> None:
    """In the subnet of a zone without workers."""
    other = next(id_ for id_, each in account.wanted.blueprint.subnets.items() if each.zone == "us-west-2b")
    file_system(SubnetIds=[other])(account)


def file_system_of_its_group_alone(account: Account) -> None:
    """Its security group lets in only its members."""
    own = {"ReferencedGroupInfo": {"GroupId": sound_services.FS_GROUP}}
    others = [each for each in account.ec2.rules if each["GroupId"] != sound_services.FS_GROUP]
    account.ec2.rules[:] = [*others, *sound_services.lustre_rules(**own)]
