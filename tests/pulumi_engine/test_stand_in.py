"""The stand-in without an engine: what it takes from the SDKs, and what it makes of it."""

from collections.abc import Iterable
from inspect import signature

import pytest

from muster.offline.computed_outputs import ACCOUNT as OFFLINE_ACCOUNT
from muster.offline.computed_outputs import computed_properties
from muster.wire import SECRET, SIGNATURE
from tests.pulumi_engine import lives
from tests.pulumi_engine.components import cluster_inputs, kubeconfig_of, unmodelled_extras
from tests.pulumi_engine.facts import (
    ACCOUNT,
    FOR_NEW_INSTANCES,
    ID_IS_ARN,
    ID_PATTERNS,
    ID_PREFIXES,
    NAMES,
    NESTED_COMPUTED,
    NEW_AT_EACH_UPDATE,
    REFUSED_IN_A_GROUP,
    REPLACES,
    SETS,
)
from tests.pulumi_engine.shapes import UnknownTypeError, roles_of
from tests.pulumi_engine.wire import UNKNOWN, Properties, has_unknown, pack, unpack

CLUSTER = "aws:eks/cluster:Cluster"
GROUP = "aws:eks/nodeGroup:NodeGroup"
SECURITY_GROUP = "aws:ec2/securityGroup:SecurityGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
PROFILE_ARN = f"arn:aws:iam::{ACCOUNT}:instance-profile/it"
OREGON = lives.Settings("us-west-2", {})


OF_GROUPS = (*REFUSED_IN_A_GROUP, *FOR_NEW_INSTANCES)


def subject(token: str, settings: lives.Settings = OREGON) -> lives.Subject:
    return lives.Subject(token, f"urn:pulumi:s::p::{token}::it", settings)


def checked(
    token: str, inputs: Properties, old: Properties | None = None, settings: lives.Settings = OREGON
) -> Properties:
    return lives.check(subject(token, settings), old or {}, inputs, b"seed")


def made(token: str, inputs: Properties, *, preview: bool = False) -> Properties:
    return lives.create(subject(token), checked(token, inputs), salt="0", preview=preview)[1]


@pytest.mark.parametrize(
    "table", [SETS, REPLACES, NESTED_COMPUTED, NEW_AT_EACH_UPDATE, NAMES, ID_PREFIXES, ID_PATTERNS, ID_IS_ARN]
)
def test_every_type_in_the_tables_is_a_type_of_the_sdk(table: Iterable[str]) -> None:
    """A token with a slip in it would simply never be looked up."""
    for token in table:
        assert roles_of(token).token == token


@pytest.mark.parametrize(("table", "known"), [(SETS, "outputs"), (REPLACES, "inputs"), (NAMES, "inputs")])
def test_every_property_in_the_tables_is_a_property_of_its_type(table: dict[str, object], known: str) -> None:
    for token, paths in table.items():
        names = {path.split(".")[0] for path in ([paths] if isinstance(paths, str) else paths)}  # type: ignore[attr-defined]
        assert names <= set(getattr(roles_of(token), known)), token


def test_every_property_of_a_hyperpod_group_is_one_of_the_sdk() -> None:
    """What no list names counts as changed in place: a slip would make anything cheap."""
    native = pytest.importorskip("pulumi_aws_native")
    known = signature(native.sagemaker.ClusterInstanceGroupArgs).parameters
    told = {"".join(f"_{each.lower()}" if each.isupper() else each for each in name) for name in OF_GROUPS}
    assert told <= set(known)


def test_what_is_computed_is_read_from_the_sdk() -> None:
    shape = roles_of(SECURITY_GROUP)
    assert shape.computed == {"arn", "ownerId", "tagsAll"}
    assert {"name", "vpcId", "ingress"} <= shape.optional_computed
    assert "revokeRulesOnDelete" not in shape.optional_computed


@pytest.mark.parametrize(("token", "name"), [(SECURITY_GROUP, "id"), (CLUSTER, "id"), ("aws:kms/key:Key", "keyId")])
def test_an_id_is_an_output(token: str, name: str) -> None:
    identity, outputs = lives.create(subject(token), {"name": "it"}, salt="0", preview=False)
    assert outputs[name] == identity
    assert made(token, {}, preview=True)[name] == UNKNOWN


def test_an_arn_of_iam_has_no_region() -> None:
    assert made("aws:iam/instanceProfile:InstanceProfile", {"name": "it"})["arn"] == PROFILE_ARN
    assert computed_properties("", "aws:iam/instanceProfile:InstanceProfile", "", {"name": "it"}, "us-west-2")[
        "arn"
    ] == PROFILE_ARN.replace(ACCOUNT, OFFLINE_ACCOUNT)


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(UnknownTypeError, match="aws:ec2/vpcc:Vpcc"):
        roles_of("aws:ec2/vpcc:Vpcc")


def test_a_kubernetes_custom_resource_needs_no_type() -> None:
    assert made("kubernetes:kubeflow.org/v2beta1:MPIJob", {"spec": {"n": 2}, "metadata": {"name": "job"}})["spec"] == {
        "n": 2
    }


def test_in_a_preview_the_computed_is_unknown_and_the_given_is_not() -> None:
    outputs = made(SECURITY_GROUP, {"vpcId": "vpc-1"}, preview=True)
    assert {outputs[name] for name in ("arn", "ownerId", "ingress")} == {UNKNOWN}
    assert (outputs["vpcId"], outputs["region"]) == ("vpc-1", "us-west-2")


def test_what_is_computed_inside_a_given_object_is_unknown_too() -> None:
    network = made(CLUSTER, {"roleArn": "r", "vpcConfig": {"subnetIds": ["a", "b"]}}, preview=True)["vpcConfig"]
    assert network["clusterSecurityGroupId"] == UNKNOWN
    assert sorted(network["subnetIds"]) == ["a", "b"]


def test_nothing_is_unknown_once_it_is_made() -> None:
    outputs = made(CLUSTER, {"name": "train", "roleArn": "r", "vpcConfig": {"subnetIds": ["a", "b"]}})
    assert not has_unknown(outputs)
    assert outputs["arn"] == "arn:aws:eks:us-west-2:111122223333:cluster/train"
    assert outputs["vpcConfig"]["clusterSecurityGroupId"].startswith("sg-0")
    assert outputs["identities"][0]["oidcs"][0]["issuer"].startswith("https://oidc.eks.us-west-2.")


def test_a_hyperpod_cluster_is_known_by_its_arn() -> None:
    token = "aws-native:sagemaker:Cluster"
    identity, outputs = lives.create(subject(token), {"clusterName": "pod"}, salt="0", preview=False)
    assert identity == outputs["clusterArn"] == "arn:aws:sagemaker:us-west-2:111122223333:cluster/pod"


def test_sets_come_back_in_another_order_and_are_no_difference() -> None:
    inputs = {"subnetIds": ["subnet-a", "subnet-b"], "nodeGroupName": "g"}
    outputs = made(GROUP, inputs)
    assert outputs["subnetIds"] == ["subnet-b", "subnet-a"]
    assert lives.diff(GROUP, inputs, {**inputs, "subnetIds": ["subnet-b", "subnet-a"]}).changed == frozenset()


def test_the_order_of_a_list_that_is_no_set_is_a_difference() -> None:
    change = lives.diff(GROUP, {"instanceTypes": ["a", "b"]}, {"instanceTypes": ["b", "a"]})
    assert change.replacing == {"instanceTypes"}


def test_an_unknown_input_differs_from_what_was_there() -> None:
    assert lives.diff(GROUP, {"subnetIds": ["a"]}, {"subnetIds": UNKNOWN}).replacing == {"subnetIds"}
    assert lives.diff(GROUP, {"labels": {"a": "b"}}, {"labels": {"a": UNKNOWN}}).replacing == frozenset()


def test_a_replacement_under_a_given_name_deletes_first() -> None:
    """AWS refuses two node groups of one name, so the provider cannot create the new one before."""
    given = {"nodeGroupName": "g", "amiType": "AL2023"}
    assert lives.diff(GROUP, given, {**given, "amiType": "BOTTLEROCKET"}).delete_first
    automatic = checked(GROUP, {"amiType": "AL2023"})
    assert not lives.diff(GROUP, automatic, {**automatic, "amiType": "BOTTLEROCKET"}).delete_first


def test_an_automatic_name_is_kept_for_life() -> None:
    first = checked(GROUP, {})
    again = lives.check(subject(GROUP), first, {}, b"another seed")
    assert first["nodeGroupName"].startswith("it-")
    assert again == first


def test_default_tags_of_the_provider_are_in_the_inputs() -> None:
    tagged = checked(
        SECURITY_GROUP, {"tags": {"a": "own"}}, settings=lives.Settings("us-west-2", {"a": "default", "b": "default"})
    )
    assert tagged["tags"] == {"a": "own", "b": "default"}


def test_an_update_of_a_launch_template_makes_a_new_version() -> None:
    old = made(TEMPLATE, {"instanceType": "p4d.24xlarge"})
    new = {"instanceType": "p5.48xlarge", "name": old["name"]}
    planned = lives.update(subject(TEMPLATE), "lt-0", old, new, preview=True)
    done = lives.update(subject(TEMPLATE), "lt-0", old, new, preview=False)
    assert (planned["latestVersion"], done["latestVersion"]) == (UNKNOWN, 2)
    assert done["arn"] == old["arn"]


def test_a_secret_stays_what_it_was_on_the_wire() -> None:
    properties = {
        "a": {SIGNATURE: SECRET, "value": "x"},
        "n": 2,
        "f": 0.5,
    }
    assert unpack(pack(properties)) == properties


BARE = {
    "authenticationMode": "API",
    "kubeProxyAddonOptions": {"enabled": False},
    "serviceRole": "a reference",
    "skipDefaultNodeGroup": True,
    "skipDefaultSecurityGroups": True,
    "subnetIds": ["a", "b"],
    "useDefaultVpcCni": True,
    "vpcId": "vpc-1",
}


def test_a_bare_cluster_has_no_extras() -> None:
    assert unmodelled_extras(BARE) == []


@pytest.mark.parametrize("left_out", sorted(set(BARE) - {"subnetIds"}))
def test_each_argument_of_a_bare_cluster_is_needed(left_out: str) -> None:
    (extra,) = unmodelled_extras({name: value for name, value in BARE.items() if name != left_out})
    assert left_out in extra


def test_the_tags_of_a_cluster() -> None:
    arguments = {**BARE, "tags": {"a": "tags", "b": "tags"}, "clusterTags": {"a": "cluster", "c": "cluster"}}
    assert cluster_inputs("c", arguments, "arn")["tags"] == {
        "Name": "c-eksCluster",
        "a": "tags",
        "b": "tags",
        "c": "cluster",
    }


def test_the_kubeconfig_is_unknown_with_any_part_of_it() -> None:
    cluster = made(CLUSTER, {"name": "train", "roleArn": "r", "vpcConfig": {"subnetIds": []}})
    assert kubeconfig_of({**cluster, "endpoint": UNKNOWN}, {}, with_profile=False) == UNKNOWN
    command = kubeconfig_of(cluster, {"profileName": "p"}, with_profile=True)["users"][0]["user"]["exec"]["args"]
    assert command == [
        "--region",
        "us-west-2",
        "eks",
        "get-token",
        "--cluster-name",
        "train",
        "--output",
        "json",
        "--profile",
        "p",
    ]
