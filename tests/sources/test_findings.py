"""What is said of whole files, in which line: sound ones, those with one fault, and those that cannot be read.

That rules say of a file what they say of the resources that it stands for is `test_law`; here a reader's own part is
shown, one case for each way in which a file says something.
"""

import re
from pathlib import Path

import pytest

from muster.cli.exits import Exit
from muster.finding import NOT_MODELLED, SCHEMA, Level
from muster.message_text import is_misspelling
from muster.sources.keys import table_of
from muster.sources.source import InvalidFile
from tests.sources.judged import EXAMPLES, SOUND, Edit, a_file, changed, read, report, said, unsaid
from tests.sources.remedied import unmended
from tools import published_keys

PC, HP, CLI, EKS = "parallelcluster.yaml", "hyperpod.json", "hyperpod-cli.yaml", "eksctl.yaml"
KARPENTER, NODES = "karpenter.yaml", "nodes.template.yaml"
HP_TEMPLATE, PC_TEMPLATE = "hyperpod.template.yaml", "parallelcluster.template.yaml"

ADVICE = {
    "cdk.template.json": {
        ("api-not-open-to-all", '"Cluster9EE0221C": {'),
        ("kubernetes-version-supported", '"Cluster9EE0221C": {'),
    },
    NODES: {("efa-used-fully", "NetworkInterfaces:")},
}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_file_has_no_findings(name: str) -> None:
    assert said(changed(name)) == ADVICE.get(name, set())


FAULTS_OF_EXAMPLES = {
    "eks-p5.yaml": {
        ("api-not-open-to-all", "name: p5-training"),
        ("imds-out-of-pods", "- name: system"),
        ("imds-out-of-pods", "- name: workers"),
        ("plugin-reaches-its-nodes", "efaEnabled: true"),
        ("plugin-stays-with-its-devices", "instanceType: p5.48xlarge"),
    },
    "eks-training.template.yaml": {
        ("capacity-block-template", "CapacityType: ON_DEMAND"),
        ("efa-security-groups-allow-themselves", "EfaSecurityGroup:"),
        ("interfaces-fit-cards", "NetworkInterfaces:"),
        ("node-template-reaches-control-plane", "Workers:"),
    },
    "hyperpod.json": {("lifecycle-source-prefix", '"InstanceGroupName": "workers"')},
    "karpenter-p5.yaml": {("node-pool-keeps-training-nodes", "spec:")},
    "parallelcluster.yaml": {
        ("parallelcluster-data-kept", "- Name: fsx"),
        ("parallelcluster-efa-placement-stated", "- Name: p5_workers"),
    },
    "terraform-plan.json": {
        ("efa-security-groups-allow-themselves", '"address": "aws_security_group.efa"'),
        ("efa-used-fully", '"address": "aws_launch_template.gpu"'),
        ("node-template-reaches-control-plane", '"address": "aws_eks_node_group.gpu"'),
        ("reservation-zone-matches-subnet", '"address": "aws_eks_node_group.gpu"'),
    },
}


@pytest.mark.parametrize("file", sorted(EXAMPLES.iterdir()), ids=lambda each: each.name)
def test_the_faults_of_an_example(file: Path) -> None:
    assert said(a_file(file.read_text(encoding="utf-8"), file)) == FAULTS_OF_EXAMPLES[file.name]


def _of_workers(text: str) -> Edit:
    """A key more of eksctl's group."""
    return ("  efaEnabled", f"  {text}\n  efaEnabled")


RESERVED = "capacityReservation: {capacityReservationTarget: {capacityReservationID: cr-0123456789abcdef0}}"
PC_TEXT = SOUND[PC].read_text(encoding="utf-8")
HP_TEXT = SOUND[HP].read_text(encoding="utf-8")
REQUESTED = HP_TEXT[HP_TEXT.index('"ClusterName"') : HP_TEXT.index('"InstanceCount": 4') + 18]
QUEUES = PC_TEXT[PC_TEXT.index("  SlurmQueues") : PC_TEXT.index("SharedStorage")]
BATCH = "  AwsBatchQueues: [{Name: a}]\n"
BLOCK = """placement: {groupName: p5}
  capacityReservation: {capacityReservationTarget: {capacityReservationID: cr-0123456789abcdef0}}
  instanceMarketOptions: {marketType: capacity-block}"""
JOB = """---
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec: {template: {spec: {containers: [
  {name: a, image: a, resources: {limits: {hugepages-2Mi: "256", memory: 1Gi}}}]}}}
"""
PARTITION = "CustomSlurmSettings: {State: UP, MaxTimee: 1}"
NODE = "CustomSlurmSettings: {Weight: 1, Wieght: 1}"
SETTINGS = "SlurmSettings: {CustomSlurmSettings: [{MaxJobCont: 1}]}"
LOGIN = "LoginNodes: {Pools: [{Name: a, Count: 1, Networking: {SubnetIds: []}}]}"
CNI = "addons: [{name: vpc-cni, version: v1.0.0-eksbuild.1}]"
VERSION, EFA = "hyperpod-kubernetes-version", "efa-fits-instance"

PARAMETERS = "bottlerocket: {settings: {boot: {kernel-parameters: {hugepages: ['5128']}}}}"

FAULTS: dict[str, tuple[str, Edit, dict[str, str]]] = {
    "eksctl: parameters of the kernel": (
        *(EKS, _of_workers(f"amiFamily: Bottlerocket\n  {PARAMETERS}")),
        {"boot-settings-take-effect": "- name: workers"},
    ),
    "ParallelCluster: head": (
        *(PC, ("m5.8xlarge", "m5.8xlarge\n  Efa: {Enabled: true}")),
        {SCHEMA: "Efa: {Enabled: true}"},
    ),
    "ParallelCluster: login nodes": (
        *(PC, ("Scheduling:", f"{LOGIN}\nScheduling:")),
        {"group-has-subnet": LOGIN},
    ),
    "ParallelCluster: compute resource": (PC, ("p5.48xlarge", "c5.2xlarge"), {EFA: "- Name: workers"}),
    "ParallelCluster: storage": (
        *(PC, (", DeletionPolicy: Retain", "")),
        {"parallelcluster-data-kept": "- Name: fsx"},
    ),
    "ParallelCluster: image": (
        *(PC, ("alinux2023", "rocky9")),
        {"parallelcluster-image-made-for-os": "Image: {Os: rocky9}"},
    ),
    "Slurm's setting": (PC, ("slurm\n", f"slurm\n  {SETTINGS}\n"), {"slurm-settings-known": SETTINGS}),
    "a partition's setting": (PC, ("train\n", f"train\n      {PARTITION}\n"), {"slurm-settings-known": PARTITION}),
    "a node's setting": (PC, ("MinCount: 2\n", f"MinCount: 2\n          {NODE}\n"), {"slurm-settings-known": NODE}),
    "HyperPod: type": (
        *(HP, ("p5.48", "p5.16")),
        dict.fromkeys(("instance-type-catalogued", "hyperpod-instance-type-taken"), '"InstanceGroupName": "workers"'),
    ),
    "HyperPod: what DescribeCluster prints": (
        HP,
        (REQUESTED, f'"ClusterStatus": "InService",\n{REQUESTED.replace("InstanceCount", "TargetCount")}'),
        {},
    ),
    "HyperPod CLI: version": (
        *(CLI, ('"1.34"', "1.29")),
        dict.fromkeys((VERSION, "kubernetes-version-supported"), "kubernetes_version: 1.29"),
    ),
    "eksctl: public subnets": (
        *(EKS, ("privateNetworking: true", "privateNetworking: false")),
        {"several-interfaces-private-subnets": "availabilityZones:"},
    ),
    "eksctl: EFA on cards that take none": (
        *(EKS, ("p5.48xlarge", "p6-b300.48xlarge")),
        dict.fromkeys((EFA, "plugin-reaches-its-nodes"), "efaEnabled: true"),
    ),
    "eksctl: a taint that its plugin does not tolerate": (
        *(EKS, _of_workers("taints: [{key: team, value: a, effect: NoSchedule}]")),
        {"plugin-reaches-its-nodes": "efaEnabled: true"},
    ),
    "eksctl: a type that its plugin does not select": (
        *(EKS, ("p5.48xlarge", "p6-b200.48xlarge")),
        {"plugin-reaches-its-nodes": "efaEnabled: true"},
    ),
    "eksctl: image": (
        *(EKS, _of_workers("amiFamily: AmazonLinux2")),
        {"image-fits-group": "amiFamily: AmazonLinux2"},
    ),
    "eksctl: a placement group on a Capacity Block": (
        *(EKS, _of_workers(BLOCK)),
        {"placement-group-fits-capacity": "placement: {groupName: p5}"},
    ),
    "eksctl: a placement group that it makes beside a reservation": (
        *(EKS, ("managedNodeGroups:\n- name: workers", f"nodeGroups:\n- name: workers\n  {RESERVED}")),
        {"placement-group-fits-capacity": "- name: workers"},
    ),
    "eksctl: metadata": (
        *(EKS, ("disablePodIMDS: true", "disablePodIMDS: false")),
        {"imds-out-of-pods": "disablePodIMDS: false"},
    ),
    "eksctl: an add-on": (EKS, ("", f"{CNI}\n"), {"addon-supports-kubernetes": CNI}),
    "Karpenter: metadata": (
        *(KARPENTER, ("", "  metadataOptions: {httpPutResponseHopLimit: 2}\n")),
        {"imds-out-of-pods": "metadataOptions: {httpPutResponseHopLimit: 2}"},
    ),
    "Karpenter: nodes that expire": (
        *(KARPENTER, ("      expireAfter: Never\n", "")),
        {"node-pool-keeps-training-nodes": "spec:"},
    ),
    "Karpenter: a job beside it": (
        *(KARPENTER, ("", JOB)),
        {"huge-pages-within-node": "spec: {template: {spec: {containers: ["},
    ),
    "CloudFormation: security group": (
        *(NODES, ("DestinationSecurityGroupId: !GetAtt Efa.GroupId", "CidrIp: 0.0.0.0/0")),
        {"efa-security-groups-allow-themselves": "Efa:"},
    ),
    "CloudFormation: node group": (
        *(NODES, ("CapacityType: CAPACITY_BLOCK", "CapacityType: SPOT")),
        {"capacity-block-template": "CapacityType: SPOT"},
    ),
    "CloudFormation: HyperPod": (
        *(HP_TEMPLATE, ("SourceSecurityGroupId: !Ref Nodes", "CidrIp: 10.0.0.0/8")),
        {"hyperpod-security-groups-allow-themselves": "Nodes:"},
    ),
    "CloudFormation: ParallelCluster": (
        *(PC_TEMPLATE, ("Os: alinux2023", "Os: rocky9")),
        {"parallelcluster-image-made-for-os": "Cluster:"},
    ),
    "CloudFormation: version of ParallelCluster": (
        *(PC_TEMPLATE, ("3.16.1", "3.12.0")),
        {"parallelcluster-version-known": "Cluster:"},
    ),
}
"""File, what is otherwise in it, and what is then found more: rule -> line."""


@pytest.mark.parametrize("version", ["1.32", "1.35"])
@pytest.mark.parametrize("kind", ["managedNodeGroups", "nodeGroups"])
def test_one_group_of_a_node_that_allows_itself_is_enough_for_efa(kind: str, version: str) -> None:
    """Beside it, the group for SSH, and those of nodes that eksctl manages itself, need not."""
    ssh = f"{kind}:\n- name: workers\n  ssh: {{allow: true, publicKeyName: team}}"
    file = changed(EKS, ("managedNodeGroups:\n- name: workers", ssh), ("1.35", version))
    efa = "efa-security-groups-allow-themselves"
    assert efa not in {each.rule for each in (*report(file).findings, *report(file).not_evaluated)}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_in_its_line(name: str) -> None:
    file, edit, found = FAULTS[name]
    assert said(changed(file, edit)) - ADVICE.get(file, set()) == set(found.items())
    assert list(unmended(changed(file, edit))) == []


NOT_EVALUATED: dict[str, tuple[str, tuple[Edit, ...], str]] = {
    "ParallelCluster: version": (PC, (), "parallelcluster-version-known"),
    "ParallelCluster: placeholders": (
        *(PC, (("m5.8xlarge", "$TYPE"), ("p5.48xlarge", "<your-type>"))),
        "parallelcluster-one-architecture",
    ),
    "ParallelCluster: scheduler": (
        PC,
        (("r: slurm", "r: awsbatch"), (QUEUES, "  AwsBatchQueues: [{Name: a}]\n")),
        NOT_MODELLED,
    ),
    "HyperPod: placeholder": (HP, (("ml.p5.48xlarge", "${TYPE}"),), "hyperpod-instance-type-taken"),
    "HyperPod: an update of a count": ("hyperpod-update.json", (), "hyperpod-instance-type-taken"),
    "a version that YAML does not keep": (CLI, (('"1.34"', "1.30"),), VERSION),
    "eksctl: zones that it chooses": (
        EKS,
        (("  availabilityZones:\n  - us-west-2a\n", ""), ("availabilityZones:\n- us-west-2a\n- us-west-2b\n", "")),
        "subnet-holds-nodes",
    ),
    "eksctl: a launch template of another file": (
        EKS,
        (("  instanceType: p5.48xlarge\n", "  launchTemplate: {id: lt-0123456789abcdef0}\n"),),
        "instance-type-catalogued",
    ),
    "eksctl: a version to fill in": (EKS, (("'1.35'", "1.XX"),), "kubernetes-version-supported"),
    "Karpenter: what it decides": (KARPENTER, (), NOT_MODELLED),
}


@pytest.mark.parametrize("name", NOT_EVALUATED)
def test_what_is_not_known_is_neither_found_nor_passed(name: str) -> None:
    file, edits, rule = NOT_EVALUATED[name]
    assert said(changed(file, *edits)) == set()
    assert rule in {each for each, _ in unsaid(changed(file, *edits))}


GAPS: dict[str, tuple[str, Edit, set[str]]] = {
    "DCV": (
        PC,
        ("Scheduling:", "LoginNodes: {Pools: [{Dcv: {Enabled: true}}]}\nScheduling:"),
        {"LoginNodes.Pools[0].Dcv"},
    ),
    "a directory": (PC, ("", "DirectoryService: {DomainName: x}\n"), {"DirectoryService"}),
    "another file system": (PC, ("", "  - {Name: home, MountDir: /data, StorageType: Efs}\n"), {"SharedStorage[1]"}),
    "a zero": (PC, ("", "AdditionalResources: 0\n"), {"AdditionalResources"}),
    "Flux": (EKS, ("", "gitops: {flux: {gitProvider: github}}\n"), {"gitops"}),
    "nothing": (EKS, ("", "fargateProfiles: []\n"), set()),
    "no value": (PC, ("", "AdditionalResources: null\n"), set()),
}


@pytest.mark.parametrize("name", GAPS)
def test_what_no_rule_evaluates_is_named(name: str) -> None:
    file, edit, where = GAPS[name]
    assert {each.where for each in {*read(changed(file, edit)).gaps} - {*read(changed(file)).gaps}} == where


WRONG: dict[str, tuple[str, Edit, int]] = {
    "a text for a switch": (EKS, ("efaEnabled: true", "efaEnabled: 'true'"), 10),
    "a number for a text": (EKS, _of_workers("labels: {a: 1}"), 10),
    "a number for the version": (EKS, ("'1.35'", "1.35"), 6),
    "a list for a block": (EKS, _of_workers("iam: []"), 10),
    "an empty entry": (EKS, _of_workers("taints: [null]"), 10),
    "a block for a list": (HP, ('"InstanceGroups": [', '"InstanceGroups": {}, "Tags": ['), 8),
    "a text for a block": (HP, ('"InstanceGroups": [', '"InstanceGroups": [\n    "workers",'), 9),
    "a list for a block of HyperPod": (HP, ('"LifeCycleConfig": {', '"LifeCycleConfig": [], "A": {'), 13),
    "a text for a group of the HyperPod CLI": (CLI, ("settings:", "settings:\n  - x"), 8),
    "a list for a value": (PC, ("MinCount: 2", "MinCount: [2]"), 16),
    "a block for a list of storage": (PC, ("SharedStorage:", "SharedStorage: {a: 1}\nTags:"), 21),
    "an old API": (EKS, ("v1alpha5", "v1alpha4"), 1),
    "another kind": (EKS, ("ClusterConfig", "ClusterConfg"), 2),
    "two clusters": (EKS, ("", "---\napiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n"), 27),
    "two groups of one name": (EKS, ("  efaEnabled", "- name: workers\n  efaEnabled"), 10),
    "another kind of Karpenter": (KARPENTER, ("NodePool", "NodePools"), 2),
    "a text for a list of Karpenter": (KARPENTER, ("  role", "  networkInterfaces: a\n  role"), 26),
    "no resources": (NODES, ("Resources:", "Metadata:"), 1),
    "a list of resources": (NODES, ("Resources:", "Resources: []\nMetadata:"), 13),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_of_another_form_is_an_error_with_its_line(name: str) -> None:
    file, edit, line = WRONG[name]
    with pytest.raises(InvalidFile) as raised:
        read(changed(file, edit))
    assert raised.value.position.line == line
    assert raised.value.remedy


MISTAKEN_KEYS: dict[str, tuple[str, Edit, str]] = {
    "eksctl: misspelled": (EKS, ("efaEnabled", "efaEnable"), "efaEnabled"),
    "eksctl: in other letters": (EKS, _of_workers("minsize: 2"), "minSize"),
    "eksctl: of a block below": (EKS, ("", "region: us-west-2\n"), "metadata"),
    "ParallelCluster: misspelled": (PC, ("MinCount", "MinCont"), "MinCount"),
    "ParallelCluster: misspelled in a block": (PC, ("Efa: {Enabled", "Efa: {Enable"), "Enabled"),
    "ParallelCluster: without its first word": (
        *(PC, ("DeletionPolicy", "BackupRetentionDays: 7, DeletionPolicy")),
        "AutomaticBackupRetentionDays",
    ),
    "ParallelCluster: below": (
        *(PC, ("    - Name: train", "    - PlacementGroup: {Enabled: true}\n      Name: train")),
        "Scheduling.SlurmQueues[0].Networking",
    ),
    "ParallelCluster: around": (
        *(PC, ("    - Name: train", "    - AdditionalPackages: {IntelSoftware: {}}\n      Name: train")),
        "the top level",
    ),
    "ParallelCluster: at the top": (PC, ("  SlurmQueues:", "SlurmQueues:"), "Scheduling"),
    "ParallelCluster: beside": (
        PC,
        ("  Ssh", "  SpotPrice: 1\n  Ssh"),
        "Scheduling.SlurmQueues[0].ComputeResources[0]",
    ),
    "HyperPod: misspelled": (HP, ('"InstanceCount"', '"MinInstanceCont": 2, "InstanceCount"'), "MinInstanceCount"),
    "CloudFormation: misspelled": (NODES, ("InstanceMarketOptions", "InstanceMarketOption"), "InstanceMarketOptions"),
    "CloudFormation: in other letters": (NODES, ("CapacityReservationId:", "CapacityReservationID:"), "Id'"),
    "CloudFormation: in a function": (NODES, ("InterfaceType: efa\n", "Interfacetype: efa\n"), "InterfaceType"),
    "CloudFormation: beside Properties": (NODES, ("  Key: {", "  Key: {KeyPolicy: {}, "), "Resources.Key.Properties"),
    "Karpenter: misspelled": (KARPENTER, ("nodeClassRef:", "nodeClasRef:"), "nodeClassRef"),
    "Kubernetes: around": (
        KARPENTER,
        ("", JOB.replace("name: a, image", "nodeSelector: {}, image")),
        "spec.template.spec",
    ),
    "Kubernetes: misspelled": (KARPENTER, ("", JOB.replace("resources", "resource")), "resources"),
    "ParallelCluster in CloudFormation": (PC_TEMPLATE, ("MinCount", "MinCont"), "MinCount"),
}
OTHER_KEYS: dict[str, tuple[str, Edit]] = {
    "newer": (EKS, _of_workers("quantumLinks: true")),
    "a word more": (HP, ('"ClusterName"', '"ClusterNameId": "a",\n "ClusterName"')),
    "near one that is given": (HP, ('"ClusterName"', '"ClusterNames": 1,\n"ClusterName"')),
    "of another block, with other values": (PC, ("Scheduling:", "Dcv: {Version: 2}\nScheduling:")),
    "of another block, which has it in this file": (PC, ("  Ssh", "  MinCounts: 1\n  Ssh")),
}


@pytest.mark.parametrize("name", MISTAKEN_KEYS)
def test_a_key_that_is_misspelled_or_at_another_level(name: str) -> None:
    file, edit, meant = MISTAKEN_KEYS[name]
    made = report(changed(file, edit))
    (found,) = (each for each in made.findings if each.rule == SCHEMA)
    assert (found.level, made.exit()) == (Level.MANDATORY, Exit.INPUT)
    assert meant in found.got
    key = found.got.split(" does not know ")[1].split(";")[0].split(": ")[0].rpartition(".")[2]
    assert key in changed(file, edit).text.splitlines()[found.where.line - 1]


@pytest.mark.parametrize("name", OTHER_KEYS)
def test_another_key_that_the_schema_does_not_have_is_advice(name: str) -> None:
    """Never silent. What may be newer than the schema is never refused."""
    (found,) = (each for each in report(changed(*OTHER_KEYS[name])).findings if each.rule == SCHEMA)
    assert found.level is Level.ADVISORY
    assert found.where.line > 1


OPEN: dict[str, tuple[str, Edit]] = {
    "Kubernetes: an object of another project": (KARPENTER, ("", "---\napiVersion: a.b/v1\nkind: A\nmetadatas: {}\n")),
    "Kubernetes: labels": (KARPENTER, ("metadata:", "metadata:\n  labels: {spec: a, nam: b}")),
    "ParallelCluster: DevSettings": (PC, ("Scheduling:", "DevSettings: {ClusterTemplate: a}\nScheduling:")),
    "CloudFormation: a custom resource": (
        NODES,
        ("  Key: {", '  A: {Type: "Custom::A", Properties: {Tag: 1}}\n  Key: {'),
    ),
    "CloudFormation: an included part": (
        *(NODES, ("  Key: {", '  Key: {Properties: {"Fn::Transform": {Name: "AWS::Include"}, Polici: 1}, ')),
    ),
    "CloudFormation: no value": (NODES, ("  Key: {", "  Key: {Properties: !Ref AWS::NoValue, ")),
}


@pytest.mark.parametrize("name", OPEN)
def test_any_key_where_the_format_takes_any(name: str) -> None:
    assert [each for each in report(changed(*OPEN[name])).findings if each.rule == SCHEMA] == []


TABLES = ("cloudformation", "eksctl", "hyperpod", "karpenter", "parallelcluster")


def test_few_real_keys_are_taken_for_another() -> None:
    """What would be refused, if a key of a schema were newer than the schema: less than two of a hundred."""
    blocks = [kinds for format_ in TABLES for kinds in table_of(format_).blocks.values()]
    keys = [(key, other) for kinds in blocks for key in kinds for other in kinds if key != other]
    taken = {pair for pair in dict.fromkeys(keys) if is_misspelling(*pair)}
    assert sum(pair in taken for pair in keys) < 0.02 * sum(map(len, blocks))


def test_the_keys_are_those_of_the_published_schemas() -> None:
    """After an upgrade of cfn-lint: `python -m tools.published_keys cloudformation`."""
    assert published_keys.cloudformation(()) == table_of("cloudformation").blocks


@pytest.mark.parametrize("format_", TABLES)
def test_the_table_of_a_format_is_closed(format_: str) -> None:
    """Each kind of a block is a word or a block of the table, and what no rule evaluates is a key of one."""
    table = table_of(format_)
    words = {"text", "int", "number", "bool", "value", "any"}
    used = {one for kinds in table.blocks.values() for kind in kinds.values() for one in re.split(r"[][{}|]+", kind)}
    assert used - {""} <= words | table.blocks.keys()
    assert {key for key in table.unread if key.split(".")[1] not in table.blocks[key.split(".")[0]]} == set()


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        (KARPENTER, {"EC2NodeClass default", "NodePool default"}),
        (
            EKS,
            {
                "cluster training",
                "eksctl's DaemonSet aws-efa-k8s-device-plugin",
                "eksctl's DaemonSet nvidia-device-plugin-daemonset",
                "node group workers",
            },
        ),
    ],
)
def test_reports_name_the_parts_of_the_file(name: str, labels: set[str]) -> None:
    source = read(changed(name))
    assert labels <= {source.label(each.urn) for each in source.registrations}
