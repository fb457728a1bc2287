"""What `muster init` writes, and that it is sound."""

import json
from pathlib import Path

import pytest

from muster.addresses import schema_address
from muster.cli.init import selection
from tests.account.aws import Aws, playing
from tests.account.init_runs import API, IN_REGION, OTHER, VPC, Run, config, left
from tests.account.new_stacks import (
    BLOCK,
    ODCR,
    PLAN,
    PRIVATE,
    PUBLIC,
    WAITING_BLOCK,
    Account,
    Vpc,
    block,
    plan,
    reservation,
)
from tests.cli.conftest import Muster

WRITTEN = (
    f"# yaml-language-server: $schema={schema_address('stack')}\n"
    """\
# 3 p5.48xlarge on a reservation, on EKS. Written by `muster init`; values from AWS account 210987654321 on 2026-11-22.
config:
  aws:region: us-west-2 # the Region of cr-0a1b2c3d4e5f60718
  muster:cluster:
    backend: eks
    kubernetes: "1.35" # in standard support until 2027-03-27; the newest version that every add-on supports
    control-plane: create # the identity that deploys it is its administrator; add others below access
    api: {public: [8.8.8.0/24]}
    network:
      existing:
        # the only one of 2 VPCs that fits (vpc-0000000000000bbbb: only public subnets in us-west-2a)
        vpc: vpc-0000000000000aaaa
        private:
          # the zone of cr-0a1b2c3d4e5f60718: 4000 free addresses, route through a NAT gateway
          us-west-2a: SUBNET-A
          # EKS needs a second zone: 4000 free addresses, route through a NAT gateway
          us-west-2b: SUBNET-B
        public: # for internet-facing load balancers
          us-west-2a: PUBLIC-A
          us-west-2b: PUBLIC-B
    groups:
      system: # CoreDNS, operators, job launchers
        for: system
        instance: c5.2xlarge
        nodes: 1
      workers:
        for: training
        instance: p5.48xlarge # the type of cr-0a1b2c3d4e5f60718
        nodes: 3 # the instances that are free now, of 4
        capacity:
          reservation:
            id: cr-0a1b2c3d4e5f60718
            # cr-0a1b2c3d4e5f60718 is in us-west-2a (usw2-az2), so the workers' subnet must also be in this zone
            zone: us-west-2a
            count: 4 # all instances that it holds
            provided-by: you
            placement-group: ml-block # the placement group of cr-0a1b2c3d4e5f60718
        local-storage: raid0 # its NVMe disks (8x3800 GB) store images and files of pods
    addons:
      nvidia-device-plugin: {} # 8 GPUs on each node
      efa-device-plugin: {} # 32 EFA interfaces on each node
      mpi-operator: {} # runs MPIJobs, such as `muster job nccl-tests`
"""
)


def test_the_file_says_what_aws_said_and_why(muster: Muster, run: Run) -> None:
    """Every line of one, to the letter."""
    vpc = Vpc(VPC)
    held = reservation(
        AvailableInstanceCount=3,
        PlacementGroupArn="arn:aws:ec2:us-west-2:210987654321:placement-group/ml-block",
    )
    other = Vpc(OTHER, "172.31.0.0/16", {"a": (PUBLIC,), "b": (PUBLIC,)})
    ran = run(Account([held], vpcs=[vpc, other]), "--reservation", ODCR, *API)
    assert ran.code == 0, ran.err + ran.out
    text = WRITTEN
    for letter in "ab":
        text = text.replace(f"SUBNET-{letter.upper()}", vpc.subnet(letter))
        text = text.replace(f"PUBLIC-{letter.upper()}", vpc.subnet(letter, PUBLIC))
    assert muster.file("p5-mine").read_text() == text


ACCOUNTS = {
    "odcr": (Account(), ("--reservation", ODCR)),
    "slurm": (Account(), ("--reservation", ODCR, "--backend", "parallelcluster")),
    "block": (Account([block()]), ("--capacity-block", BLOCK)),
    "begun": (
        Account([block(State="active", StartDate="2026-11-20T11:30:00Z", AvailableInstanceCount=4)]),
        ("--capacity-block", BLOCK),
    ),
    "slurm-block": (Account([block()]), ("--capacity-block", BLOCK, "--backend", "parallelcluster")),
    "trn1": (Account([reservation(InstanceType="trn1.32xlarge")]), ("--reservation", ODCR)),
    "plan": (Account([], [plan()]), ("--training-plan", PLAN)),
    "new-vpc": (Account(vpcs=[]), ("--reservation", ODCR)),
}
"""Sound accounts, and what is made for them."""


@pytest.mark.parametrize("name", ACCOUNTS)
def test_what_is_written_checks_clean_and_its_facts_exist(muster: Muster, run: Run, name: str) -> None:
    """No finding, and `muster check` of the files says so, too."""
    account, options = ACCOUNTS[name]
    ran = run(account, *options, "--json")
    assert ran.code == 0, ran.err + ran.out
    said = ran.json
    assert (said["findings"], said["notEvaluated"], said["notAnswered"]) == ([], [], [])
    assert ran.json["saved"] == str(Path("stacks/facts/p5-mine.json"))
    known = json.loads((muster.folder / ran.json["saved"]).read_text())
    assert known["account"]["id"] == "210987654321"
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"]
    checked = muster("check", "p5-mine", "--json", "--as-of", "2026-11-22")
    assert checked.code == 0
    again = checked.json["stacks"][0]
    assert (again["findings"], again["notEvaluated"]) == ([], [])


def test_a_capacity_block_has_its_dates_and_waits(muster: Muster, run: Run) -> None:
    """It is not active before it begins, and is from then on."""
    assert run(*_of("block")).code == 0
    assert config(muster)["groups"]["workers"]["capacity"]["capacity-block"] == WAITING_BLOCK
    assert run(*_of("begun"), name="begun").code == 0
    assert config(muster, "begun")["groups"]["workers"]["capacity"]["capacity-block"]["active"] is True


def test_slurm_has_a_head_node_for_public_subnets_and_no_load_balancers(muster: Muster, run: Run) -> None:
    """So it is told, in a stack that is new and in a copy of one."""
    why = " # for a head node or login nodes with `subnets: public`\n"
    assert run(*_of("slurm")).code == 0
    muster.take("pcluster-gpu")
    held = Account([reservation(InstanceType="p4de.24xlarge")])
    assert run(held, "--reservation", ODCR, "--from", "pcluster-gpu", name="copied").code == 0
    for name in ("p5-mine", "copied"):
        text = muster.file(name).read_text()
        assert f"public:{why}" in text
        assert "load balancers" not in text


def _of(name: str) -> tuple:
    account, options = ACCOUNTS[name]
    return account, *options


def test_a_block_to_come_counts_by_its_tag(muster: Muster, run: Run) -> None:
    """Its own count is 0 until it begins."""
    tag = {"Key": "aws:ec2capacityreservation:incrementalRequestedQuantity", "Value": "2"}
    assert run(Account([block(TotalInstanceCount=0, Tags=[tag])]), "--capacity-block", BLOCK).code == 0
    assert config(muster)["groups"]["workers"]["nodes"] == 2


def test_a_training_plan_is_for_hyperpod(muster: Muster, run: Run) -> None:
    """By its ARN, with EC2's name of the type; the ARN says the Region."""
    assert run(*_of("plan")).code == 0
    assert config(muster)["backend"] == "hyperpod"
    workers = config(muster)["groups"]["workers"]
    assert workers["instance"] == "p5en.48xlarge"
    assert workers["capacity"] == {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 8}}


def test_trainium_gets_its_own_add_ons(muster: Muster, run: Run) -> None:
    """And no plugin for GPUs."""
    assert run(*_of("trn1")).code == 0
    assert list(config(muster)["addons"]) == ["neuron-device-plugin", "efa-device-plugin", "volcano"]


def test_it_only_reads_and_asks_nothing_twice(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked to choose is not asked again for the facts."""
    aws = Aws(Account().answers())
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        assert muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION).code == 0
    assert {each.operation for each in aws.asked if not each.operation.startswith(("Describe", "Get", "List"))} == {
        "SimulatePrincipalPolicy"
    }
    every = [(each.operation, repr(each.parameters)) for each in aws.asked]
    assert sorted(every) == sorted(set(every))


CHOOSING = {
    "ec2.DescribeAvailabilityZones",
    "ec2.DescribeCapacityReservations",
    "ec2.DescribeInstanceTypeOfferings",
    "ec2.DescribeRouteTables",
    "ec2.DescribeSubnets",
    "ec2.DescribeVpcAttribute",
    "ec2.DescribeVpcs",
    "sts.GetCallerIdentity",
}


def test_what_is_asked_to_choose_is_bounded(muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven questions, and two for each of 20 VPCs that have something in the zone: as the page says."""
    vpcs = [Vpc(f"vpc-0000000000000{number:04}", subnets={"a": (PRIVATE,)}) for number in range(30)]
    elsewhere = [Vpc(f"vpc-0000000000001{number:04}", subnets={"b": (PRIVATE,)}) for number in range(3)]
    aws = Aws(Account(vpcs=[*elsewhere, *vpcs]).answers())
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        asked = selection.choose
        before = []

        def choose(given):
            made = asked(given)
            before.extend(aws.asked)
            return made

        monkeypatch.setattr(selection, "choose", choose)
        ran = muster("init", "p5-mine", "--reservation", ODCR, "--no-storage", *IN_REGION)
    assert ran.code == 0
    assert {f"{each.service}.{each.operation}" for each in before} == CHOOSING
    assert len(before) == 7 + 2 * 20
    assert (
        f"\n{len(aws.asked)} queries, {len(aws.asked)} API calls: {len(aws.asked)} answered, 0 not answered\n"
    ) in ran.out


def test_a_vpc_that_is_named_is_asked_about_whatever_its_place(muster: Muster, run: Run) -> None:
    """The thirtieth, too; the others are not."""
    vpcs = [Vpc(f"vpc-0000000000000{number:04}") for number in range(30)]
    assert run(Account(vpcs=vpcs), "--reservation", ODCR, "--vpc", vpcs[-1].id).code == 0
    assert config(muster)["network"]["existing"]["vpc"] == vpcs[-1].id
    ran = run(Account(vpcs=vpcs), "--reservation", ODCR, name="other")
    assert "20 VPCs fit, and --vpc is not given: " in ran.err


def test_what_was_chosen_is_told_on_stderr_as_in_the_file(muster: Muster, run: Run) -> None:
    """Each comment with its key; the VPC and every subnet by its id; stdout has what AWS said and was found."""
    ran = run(Account(), "--reservation", ODCR)
    said = config(muster)["network"]["existing"]
    lines = ran.err.splitlines()
    assert f"network.existing.vpc: {said['vpc']} (the only VPC of the Region, and it fits)" in lines
    for zone, subnet in said["private"].items():
        (line,) = (each for each in lines if each.startswith(f"network.existing.private.{zone}: "))
        assert line.startswith(f"network.existing.private.{zone}: {subnet} (")
    public = "{" + ", ".join(f"{zone}: {subnet}" for zone, subnet in said["public"].items()) + "}"
    assert f"network.existing.public: {public} (for internet-facing load balancers)" in lines
    text = " ".join(muster.file("p5-mine").read_text().replace("#", "").split())
    assert [each for each in lines if each.partition(" (")[2].removesuffix(")") not in text] == []
    assert "(the only VPC there is" not in ran.out
    assert ran.out.startswith("identity: account ")


def test_a_reservation_of_a_g_type_on_a_block_is_written_and_found(muster: Muster, run: Run) -> None:
    """What a rule finds the rule says, at the file's own line. AWS may have begun to sell the type: advice."""
    ran = run(Account([block(InstanceType="g5.48xlarge")]), "--capacity-block", BLOCK)
    assert ran.code == 0
    assert "advisory capacity-block-instance-type" in ran.out
    assert muster.file("p5-mine").exists()
