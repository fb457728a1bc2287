"""Views of clusters on ParallelCluster: in either language, half-known, made by others, or not to be read at all."""

import json
from base64 import b64encode
from typing import Any

import pytest
import yaml

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    Among,
    CapacityTarget,
    ClosedTemplate,
    ComputeResource,
    DataAssociation,
    Fleet,
    HeadNode,
    LustreFileSystem,
    Mount,
    ParallelCluster,
    Placement,
    Queue,
    Ref,
    Script,
    Volume,
)
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, QUEUE, STORAGE_GROUP, TEMPLATE
from muster.fleet.resources.place import (
    BUCKET,
    CAPACITY_RESERVATION,
    CLOUDFORMATION_STACK,
    KEY_PAIR,
    LUSTRE,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.fleet.unknown import UNKNOWN
from policies.views import fleet_of
from tests.policies.views.test_views import registered

STACK = Ref(CLOUDFORMATION_STACK, "pcluster")
NATIVE = "aws-native:cloudformation:Stack"
OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2"
SUBNET_A, SUBNET_B, NODES = Ref(SUBNET, "a"), Ref(SUBNET, "b"), Ref(SECURITY_GROUP, "nodes")
PROVIDER = (
    "https://x-aws-parallelcluster.s3.x.amazonaws.com/parallelcluster/3.16.1/templates/custom_resource/cluster.yaml"
)
PARAMETER = {"Type": "String"}
RESERVED, GROUP = "cr-0123456789abcdef0", "arn:aws:resource-groups:us-west-2:111122223333:group/x"
OTHER = "cr-0fedcba9876543210"


def a_template(
    configuration: Any, *parameters: str, kind: str = "Custom::PclusterCluster", **said: Any
) -> dict[str, Any]:
    """A template of one cluster."""
    token = {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}
    properties = {"ServiceToken": token, "ClusterName": "ml", "ClusterConfiguration": configuration, **said}
    nested = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": PROVIDER}}
    return {
        "Parameters": dict.fromkeys(parameters, PARAMETER),
        "Resources": {"Provider": nested, "Cluster": {"Type": kind, "Properties": properties}},
    }


def a_stack(body: Any, name: str = "pcluster", /, type: str = CLOUDFORMATION_STACK, **inputs: Any) -> Registration:
    text = json.dumps(body) if isinstance(body, dict) and type == CLOUDFORMATION_STACK else body
    return registered(type, name, templateBody=text, **inputs)


def seen(*resources: Registration) -> Fleet:
    fleet = fleet_of(resources)
    assert fleet.unreadable == {}
    return fleet


def around(*refs: Ref) -> list[Registration]:
    return [registered(ref.type, ref.name) for ref in refs]


def read(configuration: Any, *refs: Ref, **parameters: Any) -> Fleet:
    """A cluster whose parameters are made of some things."""
    stack = a_stack(a_template(configuration, *parameters), parameters=parameters, needs={"parameters": list(refs)})
    return seen(stack, *around(*refs))


def with_queue(queue: Any) -> dict[str, Any]:
    return {"Scheduling": {"SlurmQueues": [{"Name": "train", **queue}]}}


def the_resource(said: dict[str, Any], *refs: Ref, queue: Any = None, **parameters: Any) -> ComputeResource:
    resources = {"ComputeResources": [{"Name": "workers", **said}]}
    (found,) = read(with_queue({**resources, **(queue or {})}), *refs, **parameters).of(ComputeResource)
    return found


def the_queue(said: dict[str, Any], *refs: Ref, **parameters: Any) -> Queue:
    (found,) = read(with_queue(said), *refs, **parameters).of(Queue)
    return found


def the_head(said: dict[str, Any], *refs: Ref, more: Any = None, **parameters: Any) -> HeadNode:
    (found,) = read({"HeadNode": said, **(more or {})}, *refs, **parameters).of(HeadNode)
    return found


def the_cluster(configuration: Any, **said: Any) -> ParallelCluster:
    (found,) = seen(a_stack(a_template(configuration, **said))).of(ParallelCluster)
    return found


# clusters


def test_nothing_said() -> None:
    """What is left out is known to be, or has ParallelCluster's default."""
    fleet = read(with_queue({"ComputeResources": [{}]}))
    (cluster,), (head,) = fleet.of(ParallelCluster), fleet.of(HeadNode)
    (queue,), (resource,) = fleet.of(Queue), fleet.of(ComputeResource)
    assert (cluster.ref, cluster.name, cluster.version) == (STACK, "ml", "3.16.1")
    assert (cluster.os, cluster.image, cluster.imds, cluster.deletion, cluster.rollback) == (None,) * 5
    assert (cluster.mounts, cluster.accounting, cluster.tags, cluster.dev_settings) == ((), False, set(), set())
    assert (head.ref, head.subnet, head.ssh_from, head.key_pair) == (Ref(HEAD_NODE, "head"), None, None, None)
    assert (queue.capacity_type, queue.subnets, queue.security_groups, queue.scripts) == (None, (), (), ())
    assert (resource.nodes_min, resource.nodes_max, resource.instances, resource.has_efa) == (0, 10, (), False)
    assert (resource.target, resource.placement) == (CapacityTarget(), Placement())
    assert resource.place.resource == cluster.place.resource


def test_parts_of_a_stack_say_which_they_are() -> None:
    """They share its URN."""
    fleet = read(with_queue({"ComputeResources": [{"Name": "workers"}, {}]}))
    assert [each.place.part for each in fleet.of(Queue)] == ["queue train"]
    parts = [each.place.part for each in fleet.of(ComputeResource)]
    assert parts == ["queue train, workers", "queue train, ComputeResources[1]"]


def test_yaml_with_short_forms() -> None:
    """As people write it."""
    body = f"""
Parameters: {{Subnet: {{Type: String}}}}
Resources:
  Provider:
    Type: AWS::CloudFormation::Stack
    Properties: {{TemplateURL: !Sub "https://${{AWS::Region}}{PROVIDER.removeprefix("https://x")}"}}
  Cluster:
    Type: Custom::PclusterCluster
    Properties:
      ServiceToken: !GetAtt [Provider, Outputs.ServiceToken]
      ClusterName: !Sub "${{AWS::StackName}}-slurm"
      ClusterConfiguration:
        HeadNode: {{Networking: {{SubnetId: !Ref Subnet}}}}
"""
    fleet = seen(a_stack(body, name="theirs", parameters={"Subnet": "subnet-1"}))
    (cluster,), (head,) = fleet.of(ParallelCluster), fleet.of(HeadNode)
    assert (cluster.name, cluster.version, cluster.stack_name) == ("theirs-slurm", "3.16.1", "theirs")
    assert head.subnet == "subnet-1"


def test_the_native_providers_stack() -> None:
    """Its template may be a literal, with unknown values anywhere in it."""
    configuration = {"HeadNode": {"InstanceType": UNKNOWN, "Networking": {"SubnetId": "subnet-1"}}}
    fleet = seen(a_stack(a_template(configuration), type=NATIVE))
    (head,) = fleet.of(HeadNode)
    assert (head.instance, head.subnet) == (UNKNOWN, "subnet-1")


@pytest.mark.parametrize(
    ("kind", "token", "holds"),
    [
        ("Custom::PclusterCluster", "arn:aws:lambda:us-west-2:111122223333:function:x", True),
        ("AWS::CloudFormation::CustomResource", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, True),
        ("Custom::Anything", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, True),
        ("AWS::S3::Bucket", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, False),
    ],
)
def test_what_is_a_cluster(kind: str, token: Any, holds: bool) -> None:
    """By its type, or by who provides it."""
    fleet = seen(a_stack(a_template({}, kind=kind, ServiceToken=token)))
    assert bool(fleet.of(ParallelCluster)) is holds


def test_a_custom_resource_of_others_is_none() -> None:
    """It has neither a configuration nor ParallelCluster's provider."""
    body = {"Resources": {"One": {"Type": "Custom::Other", "Properties": {"ServiceToken": "arn"}}, "Two": None}}
    assert seen(a_stack(body)).objects == ()


def test_the_version_of_a_provider_from_elsewhere() -> None:
    """Nobody says it; where no other is in the template."""
    body = a_template({}, ServiceToken="arn:aws:lambda:us-west-2:111122223333:function:x")
    del body["Resources"]["Provider"]
    (cluster,) = seen(a_stack(body)).of(ParallelCluster)
    assert cluster.version is UNKNOWN


def test_two_clusters() -> None:
    """In one stack, and in two: each is told apart, and so are parts of one name."""
    both = a_template(with_queue({"ComputeResources": [{"Name": "workers"}]}))
    both["Resources"]["Second"] = {"Type": "Custom::PclusterCluster", "Properties": {"ClusterConfiguration": {}}}
    other = a_stack(a_template(with_queue({"ComputeResources": [{"Name": "workers"}]})), "other")
    fleet = seen(a_stack(both), other)
    assert {each.ref.name for each in fleet.of(ParallelCluster)} == {"pcluster.Cluster", "pcluster.Second", "other"}
    assert len({each.ref for each in fleet.of(HeadNode)}) == 3
    names = {each.ref.name for each in fleet.of(Queue)}
    assert names == {"pcluster.Cluster.SlurmQueues[0]", "other.SlurmQueues[0]"}
    assert len({each.ref for each in fleet.of(ComputeResource)}) == 2


def test_two_queues_of_one_name() -> None:
    """Both are there: a rule says that they may not be."""
    queues = [{"Name": "train"}, {"Name": "train"}]
    found = read({"Scheduling": {"SlurmQueues": queues}}).of(Queue)
    assert [(each.ref, each.name) for each in found] == [
        (Ref(QUEUE, "pcluster.SlurmQueues[0]"), "train"),
        (Ref(QUEUE, "pcluster.SlurmQueues[1]"), "train"),
    ]


def test_what_is_said_of_a_cluster() -> None:
    """Slurm's settings by key, entries of several keys as nodes of one's own."""
    settings = [{"Prolog": "x"}, {"NodeName": "mine", "CPUs": 4}, {"nodename": "ours", "CPUs": 4}]
    slurm = {"CustomSlurmSettings": settings, "Database": {"Uri": "db", "PasswordSecretArn": "arn"}}
    cluster = the_cluster(
        {
            "Image": {"Os": "rocky9", "CustomAmi": {"Ref": "Ami"}},
            "Tags": [{"Key": "team", "Value": "ml"}],
            "DevSettings": {"Timeouts": {}, "ClusterTemplate": "x"},
            "Scheduling": {"SlurmSettings": {**slurm, "MungeKeySecretArn": "arn", "ExternalSlurmdbd": None}},
        },
        DeletionPolicy="Retain",
        RollbackOnFailure="false",
    )
    assert (cluster.os, cluster.image) == ("rocky9", "pcluster.Ami")
    assert (cluster.tags, cluster.dev_settings) == ({"team"}, {"Timeouts", "ClusterTemplate"})
    assert (cluster.slurm_settings, cluster.node_names) == ({"Prolog"}, {"mine", "ours"})
    assert (cluster.accounting, cluster.munge_key, cluster.external_accounting) == (True, True, False)
    assert (cluster.deletion, cluster.rollback) == ("Retain", False)


# what ids name


def test_one_of_a_kind_is_what_an_unknown_id_names() -> None:
    """The stack's parameters are made of it alone."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "S"}], "AdditionalSecurityGroups": [{"Ref": "G"}]}}
    resource = the_resource({}, SUBNET_A, NODES, queue=queue, S=UNKNOWN, G=UNKNOWN)
    assert (resource.subnets, resource.security_groups) == ((SUBNET_A,), (NODES,))
    assert resource.subnets_among is None


def test_one_of_two_subnets() -> None:
    """Which, only creation tells; that it is one, and of which, is known."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "S"}]}}
    resource = the_resource({}, SUBNET_A, SUBNET_B, queue=queue, S=UNKNOWN)
    assert (resource.subnets, resource.subnets_among) == (UNKNOWN, Among(1, (SUBNET_A, SUBNET_B)))


def test_what_only_cloudformation_makes_has_a_name_of_its_own() -> None:
    """It is none of the program's subnets, and no number or word that anybody knows."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "Mine"}]}}
    said = {"InstanceType": {"Fn::ImportValue": "type"}, "MaxCount": {"Fn::GetAtt": ["Mine", "Size"]}}
    resource = the_resource(said, SUBNET_A, queue=queue, S=UNKNOWN)
    assert (resource.subnets, resource.instances, resource.nodes_max) == (("pcluster.Mine",), UNKNOWN, UNKNOWN)


def test_no_parameter_is_known() -> None:
    """Then nothing is made up."""
    body = a_template(with_queue({"Networking": {"SubnetIds": {"Ref": "S"}}}), "S")
    (queue,) = seen(a_stack(body, parameters=UNKNOWN)).of(Queue)
    assert queue.subnets is UNKNOWN


@pytest.mark.parametrize(
    ("own", "of_queue", "expected"),
    [
        (None, {"CapacityReservationId": RESERVED}, CapacityTarget(reservation=RESERVED)),
        ({"CapacityReservationId": OTHER}, {"CapacityReservationId": RESERVED}, CapacityTarget(reservation=OTHER)),
        ({"CapacityReservationResourceGroupArn": GROUP}, {"CapacityReservationId": OTHER}, CapacityTarget(group=GROUP)),
        (None, None, CapacityTarget()),
        (UNKNOWN, None, UNKNOWN),
    ],
)
def test_a_target_is_its_own_or_its_queues(own: Any, of_queue: Any, expected: Any) -> None:
    """Never half of each."""
    key = "CapacityReservationTarget"
    configuration = with_queue({key: of_queue, "ComputeResources": [{"Name": "workers", key: own}]})
    (resource,) = seen(a_stack(a_template(configuration), type=NATIVE)).of(ComputeResource)
    assert resource.target == expected


def test_reservations_of_the_program() -> None:
    """By the one that there is of a kind."""
    reservation, group = Ref(CAPACITY_RESERVATION, "ours"), Ref(RESOURCE_GROUP, "ours")
    by_id = {"CapacityReservationTarget": {"CapacityReservationId": {"Ref": "R"}}}
    assert the_resource(by_id, reservation, R=UNKNOWN).target == CapacityTarget(reservation=reservation)
    by_arn = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": {"Ref": "R"}}}
    assert the_resource(by_arn, group, R=UNKNOWN).target == CapacityTarget(group=group)


@pytest.mark.parametrize(
    ("own", "of_queue", "expected"),
    [
        (None, {"Enabled": True}, Placement(enabled=True)),
        ({"Enabled": "false"}, {"Enabled": True}, Placement(enabled=False)),
        ({"Name": "one", "Id": "two"}, None, Placement(name="one", both=True)),
        ({"Id": "two"}, {"Name": "one"}, Placement(name="two")),
        ({"Name": {"Ref": "P"}}, None, Placement(name=Ref(PLACEMENT_GROUP, "ours"))),
        ({"Name": {"Ref": "Group"}}, None, Placement(name="pcluster.Group")),
    ],
)
def test_a_placement_group_is_its_own_or_its_queues(own: Any, of_queue: Any, expected: Placement) -> None:
    """The name stands before the id."""
    said = {"Networking": {"PlacementGroup": own}} if own else {}
    queue = {"Networking": {"PlacementGroup": of_queue}} if of_queue else {}
    assert the_resource(said, Ref(PLACEMENT_GROUP, "ours"), queue=queue, P=UNKNOWN).placement == expected


def test_types() -> None:
    """One, or several in their order."""
    assert the_resource({"InstanceType": "p5.48xlarge"}).instances == ("p5.48xlarge",)
    several = the_resource({"Instances": [{"InstanceType": "p5.48xlarge"}, {"InstanceType": "p5e.48xlarge"}]})
    assert (several.instances, several.flexible) == (("p5.48xlarge", "p5e.48xlarge"), True)


def test_a_resource() -> None:
    """Numbers may be text."""
    resource = the_resource(
        {
            "MinCount": "2",
            "MaxCount": 4,
            "Efa": {"Enabled": "true", "GdrSupport": False},
            "DisableSimultaneousMultithreading": True,
            "SchedulableMemory": 1000,
            "Tags": [{"Key": "team", "Value": "ml"}],
            "CustomSlurmSettings": {"Weight": 1},
        },
        queue={"CapacityType": "SPOT", "Networking": {"AssignPublicIp": True, "SecurityGroups": ["sg-1"]}},
    )
    assert (resource.nodes_min, resource.nodes_max, resource.efa, resource.gdr) == (2, 4, True, False)
    assert (resource.threads_per_core, resource.memory_mib, resource.capacity_type) == (1, 1000, "SPOT")
    assert (resource.tags, resource.slurm_settings) == ({"team"}, {"Weight"})
    assert (resource.public_ip, resource.security_groups, resource.replaces_groups) == (True, ("sg-1",), True)


def test_a_head_node() -> None:
    """With the key pair that the program makes, and what it may read."""
    pair = Ref(KEY_PAIR, "admins")
    said = {
        "InstanceType": "m5.8xlarge",
        "Ssh": {"KeyName": {"Ref": "K"}, "AllowedIps": "203.0.113.0/24"},
        "LocalStorage": {"RootVolume": {"Size": 200, "VolumeType": "gp3"}, "EphemeralVolume": {"MountDir": "/fast"}},
        "CustomActions": {
            "OnNodeStart": {"Script": "s3://scripts/first.sh"},
            "OnNodeConfigured": {"Sequence": [{"Script": "https://x/a.sh", "Args": ["-v"]}, {"Script": UNKNOWN}]},
        },
        "Iam": {"S3Access": [{"BucketName": "scripts"}], "AdditionalIamPolicies": [{"Policy": "arn"}]},
        "Imds": {"Secured": True},
        "Efa": {"Enabled": True},
    }
    body = a_template({"HeadNode": said, "DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": 3600}}}, "K")
    key = registered(KEY_PAIR, "admins", publicKey="ssh-rsa AAAA me")
    stack = a_stack(body, type=NATIVE, parameters={"K": UNKNOWN}, needs={"parameters": [pair]})
    (head,) = seen(stack, key).of(HeadNode)
    assert (head.key_pair, head.key_type, head.ssh_from) == (pair, "ssh-rsa", "203.0.113.0/24")
    assert (head.root, head.scratch) == (Volume("gp3", 200), "/fast")
    assert head.scripts == (
        Script("s3://scripts/first.sh"),
        Script("https://x/a.sh", ("-v",)),
        Script(UNKNOWN),
    )
    assert (head.buckets, head.policies, head.own_role) == ({"scripts"}, {"arn"}, False)
    assert (head.imds_secured, head.efa, head.seconds) == (True, True, 3600)


@pytest.mark.parametrize(
    ("said", "known", "more"),
    [
        (None, frozenset(), False),
        ([], frozenset(), False),
        ([{"Policy": "arn"}, {"Policy": UNKNOWN}], {"arn"}, True),
        ([{"Policy": "arn"}, UNKNOWN], {"arn"}, True),
        ([UNKNOWN], frozenset(), True),
        (UNKNOWN, UNKNOWN, True),
    ],
)
def test_policies_that_are_known_are_kept_beside_one_that_is_not(said: Any, known: Any, more: bool) -> None:
    """Of a head node and of a queue: an administrator's stands, whatever else is attached."""
    iam = {} if said is None else {"AdditionalIamPolicies": said}
    queue = {"Name": "train", "Iam": iam, "ComputeResources": []}
    body = a_template({"HeadNode": {"Iam": iam}, "Scheduling": {"SlurmQueues": [queue]}})
    fleet = seen(a_stack(body, type=NATIVE))
    for each in (*fleet.of(HeadNode), *fleet.of(Queue)):
        assert (each.policies, each.more_policies) == (known, more)


def test_a_key_pair_by_its_name() -> None:
    """Which is known before it is there."""
    key = registered(KEY_PAIR, "admins", keyName="ml-admins", publicKey="ssh-ed25519 AAAA me")
    stack = a_stack(a_template({"HeadNode": {"Ssh": {"KeyName": "ml-admins"}}}))
    (head,) = seen(stack, key).of(HeadNode)
    assert (head.key_pair, head.key_type) == (Ref(KEY_PAIR, "admins"), "ssh-ed25519")


def test_scripts_not_yet_known() -> None:
    """Are not none."""
    configuration = with_queue({"CustomActions": {"OnNodeConfigured": UNKNOWN}})
    (queue,) = seen(a_stack(a_template(configuration), type=NATIVE)).of(Queue)
    assert queue.scripts is UNKNOWN


# storage

FSX = {"Name": "fsx", "MountDir": "/fsx", "StorageType": "FsxLustre"}


def the_mount(said: dict[str, Any], *refs: Ref, **parameters: Any) -> Mount:
    (cluster,) = read({"SharedStorage": [said]}, *refs, **parameters).of(ParallelCluster)
    assert isinstance(cluster.mounts, tuple)
    return cluster.mounts[0]


def test_mounts() -> None:
    """What exists by its id, what is made by what is said of it."""
    ebs = {"Name": "apps", "MountDir": "/apps", "StorageType": "Ebs"}
    volume = {"VolumeType": "gp3", "Size": 200, "DeletionPolicy": "Retain"}
    made = the_mount({**ebs, "EbsSettings": volume})
    assert made == Mount("apps", "/apps", "Ebs", gib=200, deletion="Retain", volume=Volume("gp3", 200))
    assert the_mount({**ebs, "EbsSettings": {"VolumeId": "vol-1", "Raid": {}}}).file_system == "vol-1"
    ours = the_mount({**FSX, "FsxLustreSettings": {"FileSystemId": {"Ref": "F"}}}, Ref(LUSTRE, "ours"), F=UNKNOWN)
    assert ours.file_system == Ref(LUSTRE, "ours")
    efs = {"Name": "home", "MountDir": "/home", "StorageType": "Efs", "EfsSettings": {"FileSystemId": "fs-1"}}
    assert the_mount(efs).file_system == "fs-1"


def the_file_system(**settings: Any) -> LustreFileSystem:
    queue = with_queue({"Networking": {"SubnetIds": ["subnet-1"]}})
    (found,) = read({**queue, "SharedStorage": [{**FSX, "FsxLustreSettings": settings}]}).of(LustreFileSystem)
    return found


def test_a_file_system_that_parallelcluster_makes() -> None:
    """With its own choices, in its queues' subnet, in a security group of its own making."""
    system = the_file_system(StorageCapacity=1200)
    assert (system.ref, system.place.part) == (Ref(LUSTRE, "pcluster.fsx"), "shared storage fsx")
    assert (system.size, system.deployment, system.disk, system.version) == (1200, "SCRATCH_2", "SSD", "2.15")
    assert (system.subnets, system.security_groups) == (("subnet-1",), (STORAGE_GROUP,))
    assert (system.throughput, system.drive_cache, system.backup_days, system.associations) == (None, None, 0, ())


def test_a_file_system_with_everything() -> None:
    """Its words in those of FSx."""
    system = the_file_system(
        StorageCapacity="6000",
        DeploymentType="PERSISTENT_1",
        FsxStorageType="HDD",
        PerUnitStorageThroughput=12,
        KmsKeyId="key",
        AutomaticBackupRetentionDays=3,
        ExportPath="s3://x/y",
        DataRepositoryAssociations=[
            {"FileSystemPath": "/a/", "DataRepositoryPath": "s3://x/", "AutoImportPolicy": ["NEW"]},
        ],
    )
    assert (system.size, system.deployment, system.disk, system.throughput) == (6000, "PERSISTENT_1", "HDD", 12)
    assert (system.drive_cache, system.key, system.backup_days) == ("NONE", "key", 3)
    assert (system.import_path, system.needs_import_path) == (None, {"exportPath"})
    assert system.associations == (DataAssociation("/a", "s3://x/", frozenset({"NEW"})),)


def test_a_file_system_from_a_backup() -> None:
    """Takes after what was backed up: what is left out is not known."""
    system = the_file_system(BackupId="backup-1")
    assert {system.size, system.deployment, system.disk, system.version} == {UNKNOWN}


def test_a_file_system_that_exists_is_none_of_the_clusters() -> None:
    """Nothing is known of it here."""
    assert read({"SharedStorage": [{**FSX, "FsxLustreSettings": {"FileSystemId": "fs-1"}}]}).of(LustreFileSystem) == ()


# templates elsewhere, and templates that are none

URL = "https://templates.s3.us-west-2.amazonaws.com/a/b.yaml"


@pytest.mark.parametrize("url", [URL, "https://s3.us-west-2.amazonaws.com/templates/a/b.yaml"])
def test_a_template_in_a_bucket_of_the_program(url: str) -> None:
    """By its address, in either form."""
    body = yaml.safe_dump(a_template({}))
    put = registered(OBJECT, "template", bucket="templates", key="a/b.yaml", content=body)
    fleet = seen(registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=url), put)
    assert [each.ref for each in fleet.of(ParallelCluster)] == [STACK]


@pytest.mark.parametrize(
    "content",
    [
        {"content": json.dumps(a_template({}))},
        {"contentBase64": b64encode(json.dumps(a_template({})).encode()).decode()},
        {"source": {"text": json.dumps(a_template({}))}},
    ],
    ids=["text", "base64", "asset"],
)
def test_a_template_in_a_preview(content: dict[str, Any]) -> None:
    """The address is made of the object, whose content is known."""
    put = registered(OBJECT, "template", bucket=UNKNOWN, key="b.yaml", **content)
    needs = {"templateUrl": [Ref(OBJECT, "template"), Ref(BUCKET, "templates")]}
    stack = registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=UNKNOWN, needs=needs)
    assert len(seen(stack, put).of(ParallelCluster)) == 1


@pytest.mark.parametrize(
    "inputs",
    [
        {"templateUrl": URL},
        {"templateUrl": "https://us-west-2-aws-parallelcluster.s3.us-west-2.amazonaws.com/x/cluster.yaml"},
        {"templateBody": "Resources: {Topic: {Type: 'AWS::SNS::Topic'}}"},
        {"templateBody": "no template"},
        {},
    ],
)
def test_stacks_of_others(inputs: dict[str, Any]) -> None:
    """A template of others is none of ours, nor is what CloudFormation itself will refuse."""
    assert seen(registered(CLOUDFORMATION_STACK, "theirs", **inputs)).objects == ()


def closed(*resources: Registration) -> ClosedTemplate:
    fleet = seen(*resources)
    (found,) = fleet.of(ClosedTemplate)
    assert found.ref == Ref(TEMPLATE, "pcluster")
    return found


def test_a_template_not_yet_known() -> None:
    """May make a cluster: nothing is made up, and nothing kept quiet."""
    for inputs in ({"templateBody": UNKNOWN}, {"templateUrl": UNKNOWN}):
        stack = registered(CLOUDFORMATION_STACK, "pcluster", **inputs)
        assert "not known before creation" in closed(stack).missing
        assert len(seen(stack).objects) == 1


def test_a_file_that_nobody_reads() -> None:
    """A template in a file's asset is as little known."""
    put = registered(OBJECT, "template", bucket="templates", key="a/b.yaml", source={"path": "b.yaml"})
    assert closed(registered(CLOUDFORMATION_STACK, "pcluster", templateUrl=URL), put).missing


def test_a_cluster_in_no_template() -> None:
    """CloudFormation refuses it."""
    assert "neither JSON nor YAML" in closed(a_stack("Type: [Custom::PclusterCluster")).fault


def test_a_template_that_is_too_long() -> None:
    """What is sent along has 51,200 bytes at most; the cluster is read all the same."""
    fits, long = (a_template({"Tags": [{"Key": "x" * size, "Value": "y"}]}) for size in (50_000, 51_000))
    assert seen(a_stack(fits)).of(ClosedTemplate) == ()
    fleet = seen(a_stack(long))
    assert [each.fault for each in fleet.of(ClosedTemplate)] == [
        f"a templateBody of {len(json.dumps(long))} bytes: CloudFormation takes 51200"
    ]
    assert len(fleet.of(ParallelCluster)) == 1


def test_a_configuration_that_is_text() -> None:
    """AWS's provider takes keys and values."""
    assert "no mapping" in closed(a_stack(a_template("Image: {Os: rhel9}"))).fault


@pytest.mark.parametrize(
    ("configuration", "missing"),
    [
        ({"Fn::Transform": {"Name": "AWS::Include"}}, "ClusterConfiguration of Cluster"),
        ({"Scheduling": {"SlurmQueues": {"Fn::ImportValue": "queues"}}}, "SlurmQueues of Cluster"),
    ],
)
def test_a_configuration_that_only_cloudformation_knows(configuration: Any, missing: str) -> None:
    """The cluster is there, and what is in it is not known."""
    stack = a_stack(a_template(configuration))
    assert closed(stack).missing.startswith(missing)
    assert [each.name for each in seen(stack).of(ParallelCluster)] == ["ml"]


@pytest.mark.parametrize("odd", [None, 7, "text", [], {}, [None], [7], {"a": None}, UNKNOWN, [UNKNOWN], True])
@pytest.mark.parametrize(
    "key",
    [
        *(
            "Image",
            "HeadNode",
            "Scheduling",
            "SharedStorage",
            "Tags",
            "Imds",
            "DevSettings",
            "SlurmQueues",
            "Networking",
        ),
        *("ComputeResources", "SubnetIds", "Efa", "Instances", "CustomActions", "FsxLustreSettings", "Iam"),
        "LocalStorage",
    ],
)
def test_what_is_odd_is_read_as_far_as_it_goes(key: str, odd: Any) -> None:
    """Whatever stands there: a program of others must not blind the pack."""
    resource = {"Name": "workers", **({key: odd} if key in ("Efa", "Instances", "Networking") else {})}
    queue = {"Name": "train", "ComputeResources": [resource], key: odd}
    network = {"SubnetIds": odd} if key == "SubnetIds" else {}
    configuration = {
        "HeadNode": {"Networking": network, key: odd},
        "Scheduling": {"SlurmQueues": [{**queue, "Networking": network} if network else queue]},
        "SharedStorage": [{**FSX, key: odd}],
        key: odd,
    }
    if key == "SlurmQueues":
        configuration["Scheduling"] = {key: odd}
    seen(a_stack(a_template(configuration), type=NATIVE))


def test_a_resource_by_its_name() -> None:
    """Alone of its name in the program."""
    assert the_resource({}).ref == Ref(COMPUTE_RESOURCE, "workers")
