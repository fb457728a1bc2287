"""What programs ask while they run: computed where it is arithmetic, made up and said to be where it is not."""

import json

from muster.offline.invokes import InvokeAccount, answer_invoke
from muster.unknown import UNKNOWN
from tests.factories import facts

WEST, CHINA = InvokeAccount("us-west-2"), InvokeAccount("cn-north-1")


def asked(token: str, account: InvokeAccount = WEST, **args: object) -> dict[str, object]:
    found = answer_invoke(token, args, account)
    assert found is not None
    return {**found.values, "made up": found.made_up}


def test_a_policy_document_is_computed() -> None:
    """IAM's JSON: one value alone, several as a list; a later statement of one Sid replaces the former."""
    source = json.dumps({"Statement": {"Sid": "A", "Effect": "Deny", "Action": "*"}})
    found = asked(
        "aws:iam/getPolicyDocument:getPolicyDocument",
        sourcePolicyDocuments=[source],
        statements=[
            {
                "sid": "A",
                "actions": ["s3:GetObject", "s3:ListBucket"],
                "resources": ["*"],
                "principals": [{"type": "AWS", "identifiers": ["1", "2"]}, {"type": "Service", "identifiers": ["x"]}],
                "conditions": [{"test": "StringEquals", "variable": "aws:x", "values": ["y"]}],
            },
            {"effect": "Deny", "notActions": ["iam:*"], "principals": [{"type": "*", "identifiers": ["*"]}]},
        ],
    )
    assert found["made up"] == ""
    assert json.loads(str(found["json"])) == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "A",
                "Effect": "Allow",
                "Action": ["s3:GetObject", "s3:ListBucket"],
                "Resource": "*",
                "Principal": {"AWS": ["1", "2"], "Service": "x"},
                "Condition": {"StringEquals": {"aws:x": "y"}},
            },
            {"Effect": "Deny", "NotAction": "iam:*", "Principal": "*"},
        ],
    }


def test_arithmetic_is_not_made_up() -> None:
    """Partitions, Regions, what the catalogue says of a type."""
    partition = asked("aws:index/getPartition:getPartition", CHINA)
    assert (partition["partition"], partition["dnsSuffix"], partition["made up"]) == ("aws-cn", "amazonaws.com.cn", "")
    assert asked("aws:index/getRegion:getRegion")["name"] == "us-west-2"
    p5 = asked("aws:ec2/getInstanceType:getInstanceType", instanceType="p5.48xlarge")
    assert (p5["maximumNetworkCards"], p5["efaSupported"], p5["made up"]) == (32, True, "")
    assert answer_invoke("aws:ec2/getInstanceType:getInstanceType", {"instanceType": "z9.large"}, WEST) is None


def test_manifests_are_decoded() -> None:
    """Every document of a YAML text, lists taken apart, as the older Kubernetes SDKs ask for it."""
    text = "kind: A\n---\nkind: List\nitems: [{kind: B}, {kind: C}]\n---\n"
    assert asked("kubernetes:yaml:decode", text=text)["result"] == [{"kind": "A"}, {"kind": "B"}, {"kind": "C"}]


def test_what_only_the_account_knows_is_unknown() -> None:
    """No id, address or version is invented: a rule would judge it. What was asked for is repeated."""
    for token, field in (
        ("aws:ec2/getAmi:getAmi", "id"),
        ("aws:ec2/getVpc:getVpc", "cidrBlock"),
        ("aws:ec2/getSubnets:getSubnets", "ids"),
        ("aws:ec2/getSubnet:getSubnet", "availabilityZone"),
        ("aws:ec2/getSecurityGroup:getSecurityGroup", "id"),
        ("aws:eks/getCluster:getCluster", "version"),
        ("aws:ssm/getParameter:getParameter", "value"),
    ):
        found = asked(token)
        assert found[field] is UNKNOWN, token
        assert found["made up"]
    assert asked("aws:ec2/getVpc:getVpc", id="vpc-1")["id"] == "vpc-1"
    assert asked("aws:eks/getCluster:getCluster", name="one")["arn"] == (
        "arn:aws:eks:us-west-2:000000000000:cluster/one"
    )


def test_what_is_made_up_is_said() -> None:
    """The account's number and a Region's zones: programs cannot do without."""
    for token in (
        "aws:index/getCallerIdentity:getCallerIdentity",
        "aws:index/getAvailabilityZones:getAvailabilityZones",
    ):
        assert "Muster assumes " in str(asked(token)["made up"])


def test_facts_stand_before_what_is_made_up() -> None:
    """Zones of the account, and the zone of a subnet."""
    known = facts(zones={"us-west-2b": "usw2-az1"}, subnets={"subnet-0123456789abcdef0": {"zone": "us-west-2b"}})
    account = InvokeAccount("us-west-2", known)
    assert asked("aws:index/getAvailabilityZones:getAvailabilityZones", account)["names"] == ["us-west-2b"]
    assert asked("aws:ec2/getSubnet:getSubnet", account, id="subnet-0123456789abcdef0")["availabilityZone"] == (
        "us-west-2b"
    )
    assert asked("aws:index/getAvailabilityZones:getAvailabilityZones")["names"] == [
        f"us-west-2{letter}" for letter in "abcd"
    ]


def test_versions_are_never_made_up() -> None:
    """A made-up one would pass or break a rule about versions."""
    assert answer_invoke("aws:eks/getAddonVersion:getAddonVersion", {"addonName": "vpc-cni"}, WEST) is None


def test_what_is_rendered_is_not_seen() -> None:
    """Charts and overlays that the SDK renders by a plugin: no objects, and that is told by the chart's name."""
    found = answer_invoke("kubernetes:helm:template", {"jsonOpts": '{"chart": "kueue", "path": null}'}, WEST)
    assert found is not None
    assert (found.values, found.unseen) == ({"result": []}, "the objects that Helm renders from kueue")
    folder = answer_invoke("kubernetes:kustomize:directory", {"directory": "overlays/gpu"}, WEST)
    assert folder is not None
    assert folder.unseen == "the objects that Kustomize renders from overlays/gpu"
