"""`muster init` against an AWS that a test plays."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from muster.cli import init as command
from muster.cli import whole_file
from muster.fleet.document import parse
from tests.account.aws import Answers, Aws, Refused, playing
from tests.account.new_stacks import (
    BLOCK,
    NEITHER,
    ODCR,
    PLAN,
    PRIVATE,
    PUBLIC,
    Account,
    Vpc,
    block,
    plan,
    reservation,
)
from tests.cli.conftest import Muster, Ran
from tests.cli.conftest import muster as muster  # noqa: PLC0414  (the fixture)

VPC = "vpc-0000000000000aaaa"
OTHER = "vpc-0000000000000bbbb"
IN_REGION = ("--region", "us-west-2", "--as-of", "2026-11-22")
API = ("--api-from", "8.8.8.0/24")
Run = Callable[..., Ran]


@pytest.fixture
def run(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`muster init p5-mine` with options, against an account; `answers` lay over what it says."""

    def run(account: Account, *options: str, name: str = "p5-mine", answers: dict[str, Answers] | None = None) -> Ran:
        with playing(Aws({**account.answers(), **(answers or {})})) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            return muster("init", name, *options, *IN_REGION)

    return run


def config(muster: Muster, name: str = "p5-mine") -> dict:
    """What the new file says below `muster:cluster`."""
    document = parse(muster.file(name).read_text(), muster.file(name))
    assert not document.faults
    return document.data["config"]["muster:cluster"]


def left(muster: Muster) -> list[str]:
    """The files there are beside the one that the project began with."""
    every = (
        str(Path(folder, name).relative_to(muster.folder))
        for folder, _, names in os.walk(muster.folder)
        for name in names
    )
    return sorted(set(every) - {"Pulumi.yaml", "stacks/Pulumi.p5-odcr.yaml"})


WRITTEN = """\
# yaml-language-server: $schema=../docs/schema/stack.json
# 3 p5.48xlarge on a reservation, on EKS. Written by `muster init`; AWS said so of account 210987654321 on 2026-11-22.
config:
  aws:region: us-west-2 # where cr-0a1b2c3d4e5f60718 is
  muster:cluster:
    backend: eks
    kubernetes: "1.35" # in standard support until 2027-03-27; the newest that every add-on here is stated for
    control-plane: create # whoever deploys administers it; name further people under access
    api: {public: [8.8.8.0/24]}
    network: # the only one of 2 VPCs that fits (vpc-0000000000000bbbb: only public subnets in us-west-2a)
      existing:
        vpc: vpc-0000000000000aaaa
        private:
          # where cr-0a1b2c3d4e5f60718 is: 4000 free addresses, out by a NAT gateway
          us-west-2a: SUBNET-A
          us-west-2b: SUBNET-B # EKS wants a second zone: 4000 free addresses, out by a NAT gateway
        public: # for load balancers that face the internet
          us-west-2a: PUBLIC-A
          us-west-2b: PUBLIC-B
    groups:
      system: # CoreDNS, operators, job launchers
        for: system
        instance: c5.2xlarge
        nodes: 1
      workers:
        for: training
        instance: p5.48xlarge # what cr-0a1b2c3d4e5f60718 holds
        nodes: 3 # what is free now of 4
        capacity:
          reservation:
            id: cr-0a1b2c3d4e5f60718
            zone: us-west-2a # cr-0a1b2c3d4e5f60718 is in us-west-2a (usw2-az2), so the workers' subnet must be, too
            count: 4 # all that it holds
            provided-by: you
            placement-group: ml-block # the one that cr-0a1b2c3d4e5f60718 was made in
        local-storage: raid0 # its NVMe disks (8x3800 GB) hold images and pods' files
    addons:
      nvidia-device-plugin: {} # 8 GPUs on each node
      efa-device-plugin: {} # 32 EFA interfaces on each node
      mpi-operator: {} # runs MPIJobs, such as `muster job nccl-tests`
"""


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
    assert config(muster)["groups"]["workers"]["capacity"]["capacity-block"] == {
        "id": BLOCK,
        "zone": "us-west-2a",
        "count": 4,
        "starts": "2026-12-01",
        "ends": "2026-12-15",
        "active": False,
    }
    assert run(*_of("begun"), name="begun").code == 0
    assert config(muster, "begun")["groups"]["workers"]["capacity"]["capacity-block"]["active"] is True


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


@pytest.mark.parametrize(
    ("vpcs", "why"),
    [
        ([], "there is no VPC yet"),
        ([Vpc(VPC, subnets={"b": (PRIVATE,), "c": (PRIVATE,)})], f"no VPC fits ({VPC}: no subnet in us-west-2a)"),
        (
            [Vpc(VPC, subnets={"a": (PUBLIC,), "b": (PUBLIC,)})],
            f"no VPC fits ({VPC}: only public subnets in us-west-2a)",
        ),
        (
            [Vpc(VPC, subnets={"a": (NEITHER,), "b": (PRIVATE,)})],
            f"no VPC fits ({VPC}: no way out of its private subnets in us-west-2a: no route to a NAT gateway)",
        ),
        (
            [Vpc(VPC, free=8)],
            f"no VPC fits ({VPC}: 8 free addresses in {Vpc(VPC).subnet('a')} (us-west-2a), of 276 that nodes take)",
        ),
        (
            [Vpc(VPC, subnets={"a": (PRIVATE,)})],
            f"no VPC fits ({VPC}: private subnets in too few zones: EKS wants a control plane in two)",
        ),
        (
            [Vpc(VPC, subnets={"a": (PRIVATE,), "b": (PUBLIC,)})],
            (
                f"no VPC fits ({VPC}: private subnets in too few zones: EKS wants a control plane in two "
                "(only public subnets in us-west-2b))"
            ),
        ),
        (
            [Vpc(VPC, dns=False)],
            (
                f"no VPC fits ({VPC}: it has no DNS resolution or no DNS hostnames, which nodes need to find their "
                "cluster)"
            ),
        ),
        ([Vpc(VPC), Vpc(OTHER)], f"2 VPCs fit, and --vpc names none: {VPC}, {OTHER}"),
    ],
    ids=["none", "wrong zone", "public", "no way out", "full", "one zone", "one private", "no DNS", "several"],
)
def test_without_one_vpc_that_fits_a_new_one_is_planned_and_said_why(
    muster: Muster, run: Run, vpcs: Sequence[Vpc], why: str
) -> None:
    """In the reservation's zone and a second one, apart from the VPCs there are."""
    ran = run(Account(vpcs=vpcs), "--reservation", ODCR, "--json")
    assert ran.code == 0, ran.err
    cidr = "10.1.0.0/16" if vpcs else "10.0.0.0/16"
    assert config(muster)["network"] == {"create": {"cidr": cidr, "zones": ["us-west-2a", "us-west-2b"]}}
    assert [each["why"] for each in ran.json["chosen"] if each["path"] == "network"] == [why]


def test_the_vpc_that_is_named_is_taken_or_refused(muster: Muster, run: Run) -> None:
    """With why it does not fit; --new-vpc takes none."""
    public = Vpc(OTHER, subnets={"a": (PUBLIC,), "b": (PUBLIC,)})
    account = Account(vpcs=[Vpc(VPC), Vpc("vpc-0000000000000cccc"), public])
    assert run(account, "--reservation", ODCR, "--vpc", VPC, name="named").code == 0
    assert config(muster, "named")["network"]["existing"]["vpc"] == VPC
    ran = run(account, "--reservation", ODCR, "--vpc", OTHER)
    assert ran.code == 2
    assert ran.err == (
        f"error: {OTHER} does not fit: only public subnets in us-west-2a; name another with --vpc, or give --new-vpc\n"
    )
    ran = run(account, "--reservation", ODCR, "--vpc", "vpc-0000000000000dddd")
    assert (ran.code, f"AWS knows no VPC vpc-0000000000000dddd in us-west-2 (there are: {VPC}, " in ran.err) == (
        2,
        True,
    )
    assert run(Account(), "--reservation", ODCR, "--new-vpc", name="new").code == 0
    assert "create" in config(muster, "new")["network"]


def test_of_several_subnets_in_a_zone_the_widest_with_nat_is_taken(muster: Muster, run: Run) -> None:
    """Not the first, and not one without a way out."""
    narrow, wide = Vpc(VPC, free=300), Vpc(VPC, subnets={"a": ("private-2", PRIVATE)}, free=900)
    subnets = [*narrow.described(), *wide.described()[:1]]
    tables = narrow.tables()
    tables[1]["Associations"].append({"Main": False, "SubnetId": wide.subnet("a", "private-2")})
    answers: dict[str, Answers] = {
        "ec2.DescribeSubnets": {"Subnets": subnets},
        "ec2.DescribeRouteTables": {"RouteTables": tables},
    }
    ran = run(Account(vpcs=[narrow]), "--reservation", ODCR, answers=answers)
    assert ran.code == 0, ran.out
    assert config(muster)["network"]["existing"]["private"]["us-west-2a"] == wide.subnet("a", "private-2")


def test_nodes_beside_the_workers_are_where_their_type_is_offered(muster: Muster, run: Run) -> None:
    """In a new VPC the second zone offers it."""
    account = Account(vpcs=[], lacking={"c5.2xlarge": ("a", "b")})
    assert run(account, "--reservation", ODCR).code == 0
    assert config(muster)["network"]["create"]["zones"] == ["us-west-2a", "us-west-2c"]
    assert config(muster)["groups"]["system"]["zone"] == "us-west-2c"


def test_slurm_needs_one_zone_and_no_api(muster: Muster, run: Run) -> None:
    """Its VPC may have private subnets in one zone alone."""
    account = Account(vpcs=[Vpc(VPC, subnets={"a": (PRIVATE,)})])
    assert run(account, "--reservation", ODCR, "--backend", "parallelcluster").code == 0
    written = config(muster)
    assert list(written["network"]["existing"]["private"]) == ["us-west-2a"]
    assert "api" not in written
    assert list(written["queues"]["compute"]["groups"]["workers"]) == ["for", "instance", "nodes", "capacity"]


OTHERS = f"there are: {ODCR}, p5.48xlarge in us-west-2a"

REFUSED = {
    "absent": (
        Account(),
        ("--reservation", "cr-0fffffffffffffff0"),
        (
            "AWS knows no reservation cr-0fffffffffffffff0 in this Region for this account "
            f"({OTHERS}); give its id, its --region, or credentials of an account that it is shared with"
        ),
    ),
    "none": (
        Account([]),
        ("--reservation", ODCR),
        (
            f"AWS knows no reservation {ODCR} in this Region for this account (there are none); give its id, its "
            "--region, or credentials of an account that it is shared with"
        ),
    ),
    "expired": (
        Account([reservation(State="expired")]),
        ("--reservation", ODCR),
        f"{ODCR} is expired: nothing can be launched into it; name one that is active or scheduled",
    ),
    "a block": (
        Account([block()]),
        ("--reservation", BLOCK),
        f"{BLOCK} is a Capacity Block, not a reservation; give --capacity-block {BLOCK}",
    ),
    "no block": (
        Account([reservation(InstanceType="g5.48xlarge")]),
        ("--capacity-block", ODCR),
        f"{ODCR} is a reservation, not a Capacity Block; give --reservation {ODCR}",
    ),
    "no dates": (
        Account([{key: value for key, value in block().items() if key != "EndDate"}]),
        ("--capacity-block", BLOCK),
        f"AWS does not say when the Capacity Block {BLOCK} starts and ends (it is scheduled); ask again later",
    ),
    "unknown type": (
        Account([reservation(InstanceType="p9.48xlarge")]),
        ("--reservation", ODCR),
        f"no stack can be made for {ODCR}: 'p9.48xlarge' is not in the hardware catalogue",
    ),
    "too many": (
        Account(),
        ("--reservation", ODCR, "--nodes", "5"),
        f"--nodes is 5, and {ODCR} holds 4; give 4 at most",
    ),
    "hyperpod": (
        Account(),
        ("--reservation", ODCR, "--backend", "hyperpod"),
        "--backend hyperpod: HyperPod takes no reservation of EC2; leave --backend away",
    ),
    "no plan": (
        Account(),
        ("--training-plan", PLAN),
        "AWS knows no training plan p5en-plan for this account; give its ARN, or other credentials",
    ),
    "expired plan": (
        Account([], [plan(Status="Expired")]),
        ("--training-plan", PLAN),
        "training plan p5en-plan is Expired: it holds nothing any more; name one that is Active or Scheduled",
    ),
    "plan in two zones": (
        Account(
            [],
            [
                plan(
                    ReservedCapacitySummaries=[
                        {"InstanceType": "ml.p5.48xlarge", "AvailabilityZone": f"us-west-2{each}"} for each in "ab"
                    ]
                )
            ],
        ),
        ("--training-plan", PLAN),
        (
            "training plan p5en-plan holds ml.p5.48xlarge in us-west-2a, ml.p5.48xlarge in us-west-2b; a group has "
            "one type in one zone: describe it by hand"
        ),
    ),
    "plan elsewhere": (
        Account(),
        ("--training-plan", PLAN.replace("us-west-2", "us-east-1")),
        "--region is us-west-2, and the training plan is in us-east-1; leave --region away",
    ),
    "plan on eks": (
        Account([], [plan()]),
        ("--training-plan", PLAN, "--backend", "eks"),
        "--backend eks: a training plan is for HyperPod; leave --backend away",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_stack_can_be_made_for_is_refused_and_nothing_is_left(muster: Muster, run: Run, name: str) -> None:
    """In words, with what to give instead; no file, no folder."""
    account, options, words = REFUSED[name]
    ran = run(account, *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {words}"), ran.err
    assert left(muster) == []
    assert not (muster.folder / "stacks" / "facts").exists()


def test_a_reservation_of_a_g_type_on_a_block_is_written_and_found(muster: Muster, run: Run) -> None:
    """What a rule finds the rule says, at the file's own line: exit 1."""
    ran = run(Account([block(InstanceType="g5.48xlarge")]), "--capacity-block", BLOCK)
    assert ran.code == 1
    assert "mandatory capacity-block-instance-type" in ran.out
    assert muster.file("p5-mine").exists()


@pytest.mark.parametrize(
    ("refusal", "reason"),
    [
        (Refused("UnauthorizedOperation", "You are not authorized."), "denied"),
        (Refused("RequestLimitExceeded", "Request limit exceeded."), "throttled"),
        (Refused("InternalError", "An internal error."), "refused"),
    ],
)
def test_an_api_that_does_not_answer_is_never_taken_for_fine(
    muster: Muster, run: Run, refusal: Refused, reason: str
) -> None:
    """Without the reservation there is no stack; without VPCs a new one is planned, which says so."""
    ran = run(Account(), "--reservation", ODCR, answers={"ec2.DescribeCapacityReservations": refusal})
    assert ran.code == 2
    assert ran.err.startswith(f"error: reservation {ODCR}: not answered (ec2 DescribeCapacityReservations, {reason}): ")
    assert left(muster) == []
    ran = run(Account(), "--reservation", ODCR, "--json", answers={"ec2.DescribeVpcs": refusal})
    (why,) = (each["why"] for each in ran.json["chosen"] if each["path"] == "network")
    assert why.startswith(
        f"AWS did not say which VPCs there are (the VPCs there are: not answered (ec2 DescribeVpcs, {reason}): "
    )
    assert "create" in config(muster)["network"]
    ran = run(Account(), "--reservation", ODCR, "--vpc", VPC, name="other", answers={"ec2.DescribeSubnets": refusal})
    assert (ran.code, "their subnets: not answered (ec2 DescribeSubnets, " in ran.err) == (2, True)


@pytest.mark.parametrize("operation", ["ec2.DescribeRouteTables", "ec2.DescribeVpcAttribute"])
def test_a_vpc_of_which_something_is_not_known_does_not_fit(muster: Muster, run: Run, operation: str) -> None:
    """It might; but nobody says so."""
    ran = run(Account(), "--reservation", ODCR, "--json", answers={operation: Refused("UnauthorizedOperation")})
    (why,) = (each["why"] for each in ran.json["chosen"] if each["path"] == "network")
    assert "AWS did not say " in why
    assert "create" in config(muster)["network"]


def test_zones_that_aws_does_not_tell_are_taken_by_letter(muster: Muster, run: Run) -> None:
    """And said to be."""
    answers: dict[str, Answers] = {"ec2.DescribeAvailabilityZones": Refused("UnauthorizedOperation")}
    ran = run(Account(vpcs=[]), "--reservation", ODCR, answers=answers)
    assert "EKS wants two zones (AWS did not say which there are)" in ran.out
    assert config(muster)["network"]["create"]["zones"] == ["us-west-2a", "us-west-2b"]


def test_without_credentials_it_says_what_to_set(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what does without."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    ran = muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION)
    assert ran.code == 2
    assert ran.err == (
        "error: there are no AWS credentials; set AWS_PROFILE or --profile, AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login --profile PROFILE`; or give --offline, which asks AWS "
        "nothing and leaves placeholders\n"
    )
    assert left(muster) == []


def test_the_region_is_the_sessions_own_or_asked_for(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """$AWS_REGION, $AWS_DEFAULT_REGION, the profile's; else it is refused."""
    ran = muster("init", "p5-mine", "--reservation", ODCR)
    assert (ran.code, ran.err) == (
        2,
        "error: no Region; give --region, or set AWS_REGION or the profile's region\n",
    )
    for number, variable in enumerate(("AWS_DEFAULT_REGION", "AWS_REGION")):
        monkeypatch.setenv(variable, "us-west-2")
        with playing(Aws(Account().answers())) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            assert muster("init", f"p5-{number}", "--reservation", ODCR, "--as-of", "2026-11-22").code == 0
        monkeypatch.delenv(variable)


@pytest.mark.parametrize("taken", ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"])
def test_a_file_that_is_there_is_never_overwritten(muster: Muster, run: Run, taken: str) -> None:
    """Nor its facts: nothing is asked, nothing else is written."""
    file = muster.folder / taken
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine\n")
    ran = run(Account(), "--reservation", ODCR)
    assert (ran.code, ran.err) == (
        2,
        f"error: {taken} is there, and is never overwritten; take another name, or move it away\n",
    )
    assert (left(muster), file.read_text()) == ([taken], "mine\n")


@pytest.mark.parametrize("facts", [False, True])
def test_nor_one_that_appears_meanwhile(muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch, facts: bool) -> None:
    """Somebody else's stays, and nothing of ours is left."""
    file = muster.folder / "stacks" / ("facts/p5-mine.json" if facts else "Pulumi.p5-mine.yaml")
    keep = command._keep

    def later(made: object) -> None:
        file.parent.mkdir(exist_ok=True)
        file.write_text("theirs\n")
        keep(made)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "_keep", later)
    ran = run(Account(), "--reservation", ODCR)
    assert (ran.code, "is there, and is never overwritten" in ran.err) == (2, True)
    assert (left(muster), file.read_text()) == ([str(file.relative_to(muster.folder))], "theirs\n")


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_is_left_behind_when_it_is_stopped(
    muster: Muster, run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """Not the stack without its facts."""
    create = whole_file.create

    def stopped(file: Path, text: str) -> None:
        if file.suffix == ".json":
            raise fault
        create(file, text)

    monkeypatch.setattr(whole_file, "create", stopped)
    ran = run(Account(), "--reservation", ODCR)
    assert ran.code == (130 if isinstance(fault, KeyboardInterrupt) else 2)
    assert left(muster) == []


@pytest.mark.parametrize("name", ["P5", "p5_mine", "5p", "p" * 41, "../p5", "p5/mine", "", "p5 mine"])
def test_a_name_that_no_stack_may_have_is_refused(muster: Muster, name: str) -> None:
    """Its cluster has it."""
    ran = muster("init", name, "--reservation", ODCR, *IN_REGION)
    assert ran.code == 2
    assert f"error: '{name}' cannot be a stack's name, for its cluster has it" in ran.err
    assert left(muster) == []


def test_outside_of_a_project_it_says_so(muster: Muster, monkeypatch: pytest.MonkeyPatch, tmp_path_factory) -> None:
    """There is no folder to write into."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = muster("init", "p5-mine", "--reservation", ODCR, *IN_REGION)
    assert (ran.code, ran.err.startswith("error: no Pulumi.yaml with a stacks/ folder in ")) == (2, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            (),
            (
                "what the stack is for is not said; give --reservation cr-..., --capacity-block cr-..., "
                "--training-plan ARN or --from STACK, or --interactive, which asks"
            ),
        ),
        (
            ("--reservation", ODCR, "--capacity-block", BLOCK),
            "--reservation, --capacity-block and --training-plan exclude each other; give one",
        ),
        (("--reservation", ODCR, "--vpc", VPC, "--new-vpc"), "--vpc and --new-vpc exclude each other; give one"),
        (("--reservation", "cr-1"), "--reservation: 'cr-1' is not a capacity reservation id; "),
        (
            ("--reservation", "cr-fill-me-in"),
            "--reservation: 'cr-fill-me-in' is a placeholder, and AWS is asked; give your own, or --offline",
        ),
        (("--reservation", ODCR, "--vpc", "vpc"), "--vpc: 'vpc' is not a VPC id; "),
        (("--reservation", ODCR, "--api-from", "10.0.0.0/8"), "--api-from: '10.0.0.0/8' is private; "),
        (("--reservation", ODCR, "--backend", "hyperpot"), "--backend: 'hyperpot' is none; did you mean 'hyperpod'?"),
        (
            ("--reservation", ODCR, "--instance", "p5.48xlarge"),
            "--instance is for --offline: AWS says it where it is asked; leave it away",
        ),
        (
            ("--interactive",),
            "--interactive asks on a terminal, and there is none; give --reservation and other options instead",
        ),
        (
            ("--interactive", "--offline", "--reservation", ODCR),
            "--interactive asks about what AWS shows, and --offline asks AWS nothing; give one of the two",
        ),
        (("--reservation", ODCR, "--group", "workers"), "--group names a group of the stack that --from copies; "),
        (("--from", "p5-odcr", "--nodes", "2"), "--nodes beside --from needs the instances that the copy is for; "),
        (
            ("--offline", "--reservation", ODCR),
            "--offline asks nobody of what type the instances are; give --instance, as in p5.48xlarge",
        ),
        (
            ("--offline", "--reservation", ODCR, "--instance", "p5.48xlarge", "--zone", "us-east-1a"),
            "--zone us-east-1a is not in us-west-2; give one that is, or another --region",
        ),
        (
            ("--offline", "--reservation", ODCR, "--instance", "p5.48xlarg"),
            (
                f"no stack can be made for {ODCR}: 'p5.48xlarg' is not in the hardware catalogue; did you mean "
                "'p5.48xlarge'?"
            ),
        ),
        (
            ("--reservation", ODCR, "--backend", "parallelcluster", *API, "--offline", "--instance", "p5.48xlarge"),
            "--api-from is for a Kubernetes API, and ParallelCluster has none; leave it away",
        ),
    ],
)
def test_options_that_cannot_be_are_refused_with_what_to_give(
    muster: Muster, options: tuple[str, ...], words: str
) -> None:
    """Before AWS is asked, and nothing is written."""
    ran = muster("init", "p5-mine", *options, *IN_REGION)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {words}"), ran.err
    assert left(muster) == []


def test_offline_leaves_placeholders_and_asks_nobody(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with check, which lists them; there are no facts."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    options = ("--offline", "--reservation", "cr-fill-me-in", "--instance", "p5.48xlarge")
    ran = muster("init", "p5-mine", *options, *IN_REGION, "--json")
    assert (ran.code, ran.json["findings"]) == (0, [])
    assert sorted(each["where"]["path"] for each in ran.json["placeholders"]) == [
        "api.public[0]",
        "groups.workers.capacity.reservation.id",
        "network.existing.private.us-west-2a",
        "network.existing.private.us-west-2b",
        "network.existing.vpc",
    ]
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml"]


def test_strict_wants_every_rule_judged(muster: Muster) -> None:
    """Nobody was asked, so rules about the account were not."""
    options = ("--offline", "--reservation", "cr-fill-me-in", "--instance", "p5.48xlarge", "--strict")
    assert muster("init", "p5-mine", *options, *IN_REGION).code == 4


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


def test_a_copy_gets_the_instances_the_network_and_the_facts(muster: Muster, run: Run) -> None:
    """Comments stay; the original's VPC goes, for AWS was asked which fits."""
    ran = run(
        Account([reservation(AvailabilityZone="us-west-2b")]), "--from", "p5-odcr", "--reservation", ODCR, "--json"
    )
    assert ran.code == 0, ran.err + ran.out
    vpc, written, text = Vpc(VPC), config(muster), muster.file("p5-mine").read_text()
    assert written["network"]["existing"]["vpc"] == VPC
    assert written["network"]["existing"]["private"] == {f"us-west-2{each}": vpc.subnet(each) for each in "ba"}
    workers = written["groups"]["workers"]
    assert (workers["nodes"], workers["zone"], workers["volume"]) == (4, "us-west-2b", {"size": "300GiB"})
    assert workers["capacity"]["reservation"]["id"] == ODCR
    assert "# After awsome-distributed-training, 1.architectures/4.amazon-eks/eks-p5-odcr-vpc.yaml." in text
    assert '- {principal: "arn:aws:iam::111122223333:role/ml-admins", policy: cluster-admin}' in text
    assert {each["path"] for each in ran.json["chosen"]} >= {"network", "groups.workers.capacity.reservation.zone"}
    assert [each["value"] for each in ran.json["placeholders"]] == [
        "arn:aws:iam::111122223333:role/ml-admins",
        "203.0.113.0/24",
    ]
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"]


@pytest.mark.parametrize("options", [(), ("--vpc", VPC)])
def test_a_copy_of_a_stack_with_its_own_vpc_has_its_own_unless_one_is_named(
    muster: Muster, run: Run, options: tuple[str, ...]
) -> None:
    """Its zones are where the instances are."""
    muster.take("p4de-odcr")
    ran = run(Account(), "--from", "p4de-odcr", "--reservation", ODCR, *options)
    assert ran.code == 0, ran.err + ran.out
    network = config(muster)["network"]
    if options:
        assert network["existing"]["vpc"] == VPC
    else:
        assert network == {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2b", "us-west-2a"]}}, "in its own order"


def test_a_copy_without_instances_leaves_all_ids_to_be_filled_in(muster: Muster, run: Run) -> None:
    """It is for another Region or account; what is not to be filled in AWS is asked."""
    ran = run(Account(), "--from", "p5-odcr")
    assert ran.code == 0, ran.err + ran.out
    assert config(muster) == config(muster, "p5-odcr")
    facts = json.loads((muster.folder / "stacks/facts/p5-mine.json").read_text())
    assert facts["account"]["id"] == "210987654321"
    assert "reservations" not in facts


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--from", "p5-ocdr"), "no stack 'p5-ocdr' in "),
        (
            ("--from", "p5-odcr", "--reservation", ODCR, "--group", "system"),
            "--group must say which training group of p5-odcr gets the instances: workers",
        ),
        (
            ("--from", "p5-odcr", "--training-plan", PLAN),
            "p5-odcr is for eks: a training plan is for HyperPod; copy a stack of another backend",
        ),
        (
            ("--from", "p5-odcr", "--backend", "parallelcluster"),
            "p5-odcr is for eks; leave --backend away, or copy another stack",
        ),
        (
            ("--from", "p5-odcr", *API),
            "--api-from is for stacks that are written anew; with --from change it in the file",
        ),
        (
            ("--from", "p5-odcr", "--offline", "--reservation", ODCR, "--instance", "trn1.32xlarge"),
            (
                f"p5-odcr is made for p5.48xlarge, and {ODCR} holds trn1.32xlarge, which has other accelerators; "
                "copy a stack for such ones, or leave --from away"
            ),
        ),
        (
            ("--from", "p5-odcr", "--offline", "--reservation", ODCR, "--instance", "g5.4xlarge"),
            f"no stack can be made for {ODCR}: 'g5.4xlarge' is not in the hardware catalogue",
        ),
    ],
)
def test_a_copy_that_cannot_be_is_refused(muster: Muster, options: tuple[str, ...], words: str) -> None:
    """In words; nothing is written."""
    muster_ran = muster("init", "p5-mine", *options, *IN_REGION)
    assert (muster_ran.code, muster_ran.out) == (2, "")
    assert muster_ran.err.startswith(f"error: {words}"), muster_ran.err
    assert left(muster) == []


def test_a_copy_of_a_stack_with_faults_shows_them(muster: Muster) -> None:
    """At their places; a copy would have them, too."""
    muster.edit("    backend: eks\n", "    bakcend: eks\n")
    ran = muster("init", "p5-mine", "--from", "p5-odcr", "--offline", *IN_REGION)
    assert ran.code == 2
    assert "stacks/Pulumi.p5-odcr.yaml:11:5: mandatory shape: unknown key 'bakcend'" in ran.err
    assert left(muster) == []


def test_a_misspelt_region_is_refused_before_anything_is_asked(muster, monkeypatch) -> None:
    """With the near miss, whoever said it: an option or the environment."""
    asked = ("init", "p5-mine", "--reservation", ODCR)
    ran = muster(*asked, "--region", "us-wst-2")
    assert ran.code == 2
    assert "--region: 'us-wst-2' is not a Region; did you mean 'us-west-2'?" in ran.err
    monkeypatch.setenv("AWS_REGION", "us-wst-2")
    ran = muster(*asked)
    assert ran.code == 2
    assert "'us-wst-2' is not a Region; did you mean 'us-west-2'? (of AWS_REGION or the profile" in ran.err
