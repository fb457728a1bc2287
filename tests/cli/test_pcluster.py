"""`muster pcluster`: what AWS's own CLI takes, and words for each name in it that is still open."""

import re
from pathlib import Path
from string import Template
from typing import Any

import pytest
import yaml

from muster.versions import POST_INSTALL_COMMIT
from tests.cli.conftest import Muster
from tests.stack_files import ROOT

STACKS = (
    "pcluster-gpu",
    "pcluster-p4de-batch-g5",
    "pcluster-p4de-custom-ami",
    "pcluster-p4de-postinstall",
    "pcluster-trn1",
)

NAMES = {
    "FILE_SYSTEM_FSX": "fs-0123456789abcdef0",
    "KEY_PAIR_HEAD": "ml",
    "PARENT_IMAGE": "ami-0123456789abcdef0",
    "RESERVATION_GROUP_DISTRIBUTED_ML": "arn:aws:resource-groups:us-west-2:210987654321:group/ml",
    "CAPACITY_BLOCK_DISTRIBUTED_ML": "cr-0123456789abcdef0",
    "SECURITY_GROUP_NODES": "sg-0123456789abcdef0",
    "SUBNET_PRIVATE_US_WEST_2B": "subnet-0123456789abcdef0",
    "SUBNET_PUBLIC_US_WEST_2B": "subnet-0123456789abcdef2",
    "SUBNET_PRIVATE_US_WEST_2D": "subnet-0123456789abcdef1",
}
"""What a person finds where stderr says."""

RESERVATION = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/cr-0123456789abcdef0"

SCRIPTS = "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts"
DOCKER, PYXIS = (f"{SCRIPTS}/{POST_INSTALL_COMMIT}/{each}/postinstall.sh" for each in ("docker", "pyxis"))


@pytest.fixture
def pcluster(muster: Muster) -> Muster:
    """The command, with the stacks on ParallelCluster beside p5-odcr."""
    for stack in STACKS:
        muster.take(stack)
    return muster


def read(text: str) -> Any:
    """What is printed, filled in."""
    return yaml.safe_load(Template(text).substitute(NAMES))


def open_names(ran: Any) -> tuple[list[str], list[str]]:
    """The names in a text, each once, and those that stderr explains."""
    named = list(dict.fromkeys(re.findall(r"\$\{(\w+)\}", ran.out)))
    return named, re.findall(r"^\$\{(\w+)\}: ", ran.err, re.MULTILINE)


@pytest.mark.parametrize("what", ["config", "image"])
@pytest.mark.parametrize("stack", STACKS)
def test_what_is_printed_of_a_stack(pcluster: Muster, stack: str, what: str) -> None:
    """It is the golden one, and stderr names exactly what is open in it, in its order."""
    ran = pcluster.judged("pcluster", what, stack)
    assert ran.code == 0, ran.err
    assert ran.out == (ROOT / "tests" / "golden" / f"{stack}.{what}.yaml").read_text()
    named, explained = open_names(ran)
    assert explained == named


def test_the_documents_cluster(pcluster: Muster) -> None:
    """Its page says 200 GiB for each node's root and for /apps, /local_scratch, 4 nodes, EFA, no placement group."""
    said = read(pcluster.judged("pcluster", "config", "pcluster-gpu").out)
    head, (queue,), shared = said["HeadNode"], said["Scheduling"]["SlurmQueues"], said["SharedStorage"]
    assert (head["InstanceType"], head["LocalStorage"]["RootVolume"]["Size"]) == ("m5.8xlarge", 200)
    local = queue["ComputeSettings"]["LocalStorage"]
    assert (local["RootVolume"]["Size"], local["EphemeralVolume"]) == (200, {"MountDir": "/local_scratch"})
    (nodes,) = queue["ComputeResources"]
    assert (nodes["InstanceType"], nodes["MinCount"], nodes["MaxCount"]) == ("p4de.24xlarge", 4, 4)
    assert nodes["Efa"] == {"Enabled": True}
    assert nodes["Networking"] == {"PlacementGroup": {"Enabled": False}}
    assert [(each["MountDir"], each.get("EbsSettings", {}).get("Size")) for each in shared] == [
        ("/apps", 200),
        ("/fsx", None),
    ]


def test_inference_has_no_efa_and_no_placement_group(pcluster: Muster) -> None:
    """Those are for training."""
    said = read(pcluster.judged("pcluster", "config", "pcluster-p4de-batch-g5").out)
    training, inference = (each["ComputeResources"][0] for each in said["Scheduling"]["SlurmQueues"])
    assert "Efa" in training
    assert "Efa" not in inference
    assert inference["Networking"] == {"PlacementGroup": {"Enabled": False}}
    assert (inference["InstanceType"], inference["MinCount"], inference["MaxCount"]) == ("g5.12xlarge", 0, 10)


def test_scripts_run_on_every_node(pcluster: Muster) -> None:
    """Docker's, then Pyxis', by a commit, when a node is configured; with time for it."""
    said = read(pcluster.judged("pcluster", "config", "pcluster-p4de-postinstall").out)
    actions = {"OnNodeConfigured": {"Sequence": [{"Script": DOCKER}, {"Script": PYXIS}]}}
    (queue,) = said["Scheduling"]["SlurmQueues"]
    assert said["HeadNode"]["CustomActions"] == queue["CustomActions"] == actions
    timeouts = {"HeadNodeBootstrapTimeout": 3000, "ComputeNodeBootstrapTimeout": 3000}
    assert said["DevSettings"]["Timeouts"] == timeouts


def test_scripts_of_ones_own_may_be_read(pcluster: Muster) -> None:
    """By the nodes that run them: the key, and no more of the bucket."""
    pcluster.edit(
        "      install: [docker, pyxis]\n",
        '      install: [docker]\n      scripts: [{at: "s3://ml-scripts/a/b.sh", arguments: [x]}]\n',
        "pcluster-p4de-postinstall",
    )
    said = read(pcluster.judged("pcluster", "config", "pcluster-p4de-postinstall").out)
    (queue,) = said["Scheduling"]["SlurmQueues"]
    for node in (said["HeadNode"], queue):
        assert node["Iam"]["S3Access"] == [{"BucketName": "ml-scripts", "KeyName": "a/b.sh"}]
        assert node["CustomActions"]["OnNodeConfigured"]["Sequence"] == [
            {"Script": DOCKER},
            {"Script": "s3://ml-scripts/a/b.sh", "Args": ["x"]},
        ]


def test_the_words_for_what_is_open(pcluster: Muster) -> None:
    """Each name with where it comes from; then how to go on."""
    ran = pcluster.judged("pcluster", "config", "pcluster-p4de-postinstall")
    assert ran.err.splitlines() == [
        (
            "${SUBNET_PRIVATE_US_WEST_2B}: a private subnet in us-west-2b, in a VPC with DNS support and DNS "
            "hostnames; `pulumi up` creates one: output network.privateSubnets.us-west-2b"
        ),
        (
            "${SECURITY_GROUP_NODES}: a security group that exchanges traffic with the file systems; `pulumi up` "
            "creates one: output network.securityGroups.nodes"
        ),
        (
            "${FILE_SYSTEM_FSX}: the id of an FSx for Lustre file system for /fsx, with 4800 GiB; `pulumi up` "
            "creates one: output storage.fsx.fileSystem"
        ),
        ("cr-fill-me-in is a placeholder; set queues.compute-gpu.groups.distributed-ml.capacity.reservation.id"),
        "then: muster pcluster config pcluster-p4de-postinstall | envsubst > cluster.yaml",
        "      pip install 'aws-parallelcluster==3.16.1' 'setuptools<81'",
        (
            "      pcluster create-cluster --region us-west-2 --cluster-name pcluster-p4de-postinstall "
            "--cluster-configuration cluster.yaml"
        ),
    ]


@pytest.mark.parametrize(
    ("old", "new", "name", "words"),
    [
        (
            "login: ssm",
            'login: {public-key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA me"}\n      ssh-from: 192.0.2.0/24',
            "KEY_PAIR_HEAD",
            "the name of the EC2 key pair with head.login.public-key (aws ec2 import-key-pair --region us-west-2)",
        ),
        (
            "subnets: private",
            "subnets: public",
            "SUBNET_PUBLIC_US_WEST_2B",
            "a public subnet in us-west-2b, in a VPC with DNS support and DNS hostnames",
        ),
        (
            "reservation: {id: cr-fill-me-in,",
            f"reservation-group: {{create: [{RESERVATION}],",
            "RESERVATION_GROUP_DISTRIBUTED_ML",
            "the ARN of a resource group with the reservations of group distributed-ml",
        ),
    ],
)
def test_every_kind_of_what_may_be_open(pcluster: Muster, old: str, new: str, name: str, words: str) -> None:
    """A key pair, a public subnet, a resource group: a name, and where its value comes from."""
    pcluster.edit(old, new, "pcluster-p4de-postinstall")
    ran = pcluster.judged("pcluster", "config", "pcluster-p4de-postinstall")
    assert ran.code == 0, ran.err
    named, explained = open_names(ran)
    assert explained == named
    assert name in named
    assert f"${{{name}}}: {words}" in ran.err
    assert "fill-me-in" not in str(read(ran.out)) or "create" not in new


def test_a_cluster_that_is_kept_when_it_fails(pcluster: Muster) -> None:
    """As the document says for whoever wants to see why: without rollback."""
    pcluster.edit("    os: ubuntu2204\n", "    os: ubuntu2204\n    on-failure: keep\n", "pcluster-p4de-postinstall")
    ran = pcluster.judged("pcluster", "config", "pcluster-p4de-postinstall")
    assert ran.err.splitlines()[-1].endswith("--cluster-configuration cluster.yaml --rollback-on-failure false")


@pytest.mark.parametrize("what", ["config", "image"])
def test_json_says_the_same(pcluster: Muster, what: str) -> None:
    """In another form, which the CLI reads as well."""
    for stack in STACKS:
        plain, as_json = (pcluster.judged("pcluster", what, stack, *flag) for flag in ((), ("--json",)))
        assert yaml.safe_load(plain.out) == as_json.json
        assert plain.err == as_json.err


class TestImage:
    """`muster pcluster image`."""

    def test_what_every_node_installs_is_in_it(self, pcluster: Muster) -> None:
        """But Pyxis' script sets up a node that belongs to a cluster, and Docker's fails a second time."""
        ran = pcluster.judged("pcluster", "image", "pcluster-p4de-postinstall")
        said = read(ran.out)
        assert said["Build"]["Components"] == [{"Type": "script", "Value": DOCKER}]
        assert said["Build"]["Installation"] == {"NvidiaSoftware": {"Enabled": True}}
        lines = ran.err.splitlines()
        assert lines[1].startswith(f"{PYXIS} still runs when a node starts: it configures a node of a cluster")
        assert lines[-1].startswith("after the build: set image: ami-... in the stack, and remove the scripts")

    def test_it_is_built_where_it_can_be(self, pcluster: Muster) -> None:
        """NVIDIA's software on a machine with a GPU; a parent of this version, or Neuron's own."""
        ran = pcluster.judged("pcluster", "image", "pcluster-gpu")
        assert read(ran.out)["Build"]["InstanceType"] == "g4dn.xlarge"
        assert (
            "${PARENT_IMAGE}: the image of ParallelCluster 3.16.1, which already has drivers, EFA and Slurm: "
            "pcluster list-official-images --region us-west-2 --os alinux2023 --architecture x86_64 --query "
            "'images[0].amiId'"
        ) in ran.err
        neuron = pcluster.judged("pcluster", "image", "pcluster-trn1")
        build = read(neuron.out)["Build"]
        assert (build["InstanceType"], build.get("Installation")) == ("m5.8xlarge", None)
        assert "/aws/service/neuron/dlami/base/ubuntu-24.04/latest/image_id" in neuron.err

    @pytest.mark.parametrize(
        ("edits", "words"),
        [
            ([("os: ubuntu2404", "os: rocky9")], "your own image of rocky9 with the Neuron driver"),
            (
                [("os: ubuntu2404", "os: rocky9"), ("instance: trn1.32xlarge", "instance: p4d.24xlarge")],
                "an image of Rocky Linux 9 (ParallelCluster has none)",
            ),
        ],
    )
    def test_a_parent_that_aws_has_none_of(self, pcluster: Muster, edits: list[Any], words: str) -> None:
        for old, new in edits:
            pcluster.edit(old, new, "pcluster-trn1")
        pcluster.facts({"contract": 1}, "pcluster-trn1")
        ran = pcluster.judged("pcluster", "image", "pcluster-trn1")
        assert ran.code == 0, ran.err
        assert f"${{PARENT_IMAGE}}: {words}" in ran.err

    def test_pyxis_wants_nvidias_software_on_any_nodes(self, pcluster: Muster) -> None:
        """ParallelCluster installs Enroot with it alone, and only on a machine with a GPU."""
        pcluster.edit("    slurm:\n", "    post-install: {install: [pyxis]}\n    slurm:\n", "pcluster-trn1")
        build = read(pcluster.judged("pcluster", "image", "pcluster-trn1").out)["Build"]
        assert (build["InstanceType"], "Components" in build) == ("g4dn.xlarge", False)
        assert build["Installation"] == {"NvidiaSoftware": {"Enabled": True}}

    def test_what_cannot_be_in_it_stays(self, pcluster: Muster) -> None:
        """A script with arguments, one that not every node runs; one in S3 needs the right to read it."""
        pcluster.edit(
            "      install: [docker, pyxis]\n",
            "      scripts: [{at: s3://ml-all/all.sh}, {at: s3://ml-all/asks.sh, arguments: [x]}]\n",
            "pcluster-p4de-postinstall",
        )
        pcluster.edit(
            "      login: ssm\n",
            "      login: ssm\n      post-install: {scripts: [{at: s3://ml-all/head.sh}, {at: s3://ml-all/all.sh}]}\n",
            "pcluster-p4de-postinstall",
        )
        ran = pcluster.judged("pcluster", "image", "pcluster-p4de-postinstall")
        build = read(ran.out)["Build"]
        assert build["Components"] == [{"Type": "script", "Value": "s3://ml-all/all.sh"}]
        assert build["Iam"] == {"AdditionalIamPolicies": [{"Policy": "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"}]}
        assert [line for line in ran.err.splitlines() if line.startswith("s3:")] == [
            "s3://ml-all/head.sh still runs when a node starts: not every node runs it, but all nodes use the image",
            "s3://ml-all/asks.sh still runs when a node starts: scripts of an image get no arguments",
        ]

    def test_it_fits_every_node(self, pcluster: Muster) -> None:
        """No root volume is smaller than the image, or ParallelCluster refuses the cluster."""
        pcluster.edit("      subnets: private\n", "      subnets: private\n      root: 120GiB\n", "pcluster-trn1")
        pcluster.facts({"contract": 1}, "pcluster-trn1")
        assert read(pcluster.judged("pcluster", "image", "pcluster-trn1").out)["Image"]["RootVolume"] == {"Size": 120}


@pytest.mark.parametrize("what", ["config", "image"])
def test_a_stack_on_another_backend(pcluster: Muster, what: str) -> None:
    """What it has, and which stacks it is for."""
    ran = pcluster("pcluster", what, "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "error: p5-odcr has backend: eks, but this command needs backend: parallelcluster; give one of "
        f"{', '.join(STACKS)}\n"
    )
    pcluster.take("hyperpod-p5")
    ran = pcluster("pcluster", what, "hyperpod-p5")
    assert ran.err == "error: hyperpod-p5 has backend: hyperpod; use `muster hyperpod config hyperpod-p5` instead\n"
    ran = pcluster("hyperpod", "config", "pcluster-gpu")
    assert ran.err == (
        "error: pcluster-gpu has backend: parallelcluster; use `muster pcluster config pcluster-gpu` instead\n"
    )


@pytest.mark.parametrize("what", ["config", "image"])
def test_nothing_is_printed_of_what_would_be_refused(pcluster: Muster, what: str) -> None:
    """Neither of a wrong form nor of what a mandatory rule refuses: stdout stays empty."""
    pcluster.edit("nodes: 4", "nodes: 5", "pcluster-gpu")
    pcluster.edit("os: alinux2023 #", "os: alinux2 #", "pcluster-p4de-custom-ami")
    refused = pcluster.judged("pcluster", what, "pcluster-gpu")
    wrong = pcluster.judged("pcluster", what, "pcluster-p4de-custom-ami")
    assert (refused.code, refused.out, wrong.code, wrong.out) == (1, "", 2, "")
    assert "reservation" in refused.err
    assert (
        "ParallelCluster 3.16 no longer supports the operating system 'alinux2'\n    fix: write alinux2023\n"
        in wrong.err
    )


def test_the_goldens_are_of_these_stacks() -> None:
    """And of no other."""
    for what in ("config", "image"):
        found = {path.name.removesuffix(f".{what}.yaml") for path in (ROOT / "tests" / "golden").glob(f"*.{what}.yaml")}
        assert found == set(STACKS)


def test_every_stack_of_the_backend_is_tested() -> None:
    written = {path for path in (ROOT / "stacks").glob("*.yaml") if "backend: parallelcluster" in path.read_text()}
    assert {Path(path).name for path in written} == {f"Pulumi.{stack}.yaml" for stack in STACKS}
