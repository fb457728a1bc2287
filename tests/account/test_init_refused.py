"""What `muster init` refuses, in words; and `--offline`."""

import pytest

from tests.account.accounts import there
from tests.account.aws import Aws, playing
from tests.account.init_runs import API, IN_REGION, VPC, Run, left
from tests.account.new_stacks import (
    BLOCK,
    ODCR,
    PLAN,
    REGION,
    Account,
    block,
    plan,
    reservation,
)
from tests.cli.conftest import Muster

OTHERS = f"it has {ODCR} (p5.48xlarge in us-west-2a)"

REFUSED = {
    "absent": (
        Account(),
        ("--reservation", "cr-0fffffffffffffff0"),
        (
            f"this account has no reservation cr-0fffffffffffffff0 in us-west-2 ({OTHERS}); give another id, its "
            "--region, or credentials of an account that can use it"
        ),
    ),
    "none": (
        Account([]),
        ("--reservation", ODCR),
        (
            f"this account has no reservation {ODCR} in us-west-2 (it has none); give another id, its --region, or "
            "credentials of an account that can use it"
        ),
    ),
    "expired": (
        Account([reservation(State="expired")]),
        ("--reservation", ODCR),
        f"{ODCR} is expired, so it accepts no instances; give one that is active or scheduled",
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
        f"AWS does not return the dates of Capacity Block {BLOCK} (its state is scheduled); try again later",
    ),
    "unknown type": (
        Account([reservation(InstanceType="p9.48xlarge")]),
        ("--reservation", ODCR),
        f"Muster cannot create a stack for {ODCR}: 'p9.48xlarge' is not an instance type that Muster knows",
    ),
    "too many": (
        Account(),
        ("--reservation", ODCR, "--nodes", "5"),
        f"--nodes is 5, but {ODCR} holds 4; give at most 4",
    ),
    "hyperpod": (
        Account(),
        ("--reservation", ODCR, "--backend", "hyperpod"),
        (
            "--backend hyperpod: HyperPod can use only a training plan, not a reservation of EC2; leave out "
            "--backend to use eks, or give --training-plan ARN"
        ),
    ),
    "no plan": (
        Account(),
        ("--training-plan", PLAN),
        (
            "this account has no training plan p5en-plan in us-west-2 (it has none); give another ARN, or other "
            "credentials"
        ),
    ),
    "expired plan": (
        Account([], [plan(Status="Expired")]),
        ("--training-plan", PLAN),
        "training plan p5en-plan is Expired, so it no longer holds instances; give one that is Active or Scheduled",
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
            "training plan p5en-plan holds ml.p5.48xlarge in us-west-2a, ml.p5.48xlarge in us-west-2b, but a group has "
            "one type in one zone; write the stack file by hand"
        ),
    ),
    "plan elsewhere": (
        Account(),
        ("--training-plan", PLAN.replace("us-west-2", "us-east-1")),
        "--region is us-west-2, but the training plan is in us-east-1; leave out --region",
    ),
    "plan on eks": (
        Account([], [plan()]),
        ("--training-plan", PLAN, "--backend", "eks"),
        "--backend eks: only HyperPod can use a training plan; leave out --backend to use hyperpod",
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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            (),
            (
                "the capacity is not set; give --reservation cr-..., --capacity-block cr-..., --training-plan ARN, "
                "--on-demand, --from STACK, --from-file FILE, or --interactive"
            ),
        ),
        (
            ("--reservation", ODCR, "--capacity-block", BLOCK),
            "--reservation, --capacity-block, --training-plan and --on-demand exclude each other; give only one",
        ),
        (
            ("--reservation", ODCR, "--vpc", VPC, "--new-vpc"),
            ("--vpc and --new-vpc exclude each other; give only one of them"),
        ),
        (("--reservation", "cr-1"), "--reservation: 'cr-1' is not the id of a capacity reservation; "),
        (
            ("--reservation", "cr-fill-me-in"),
            (
                "--reservation: 'cr-fill-me-in' is a placeholder, which Muster cannot query; give your own id, or "
                "--offline"
            ),
        ),
        (("--reservation", ODCR, "--vpc", "vpc"), "--vpc: 'vpc' is not the id of a VPC; "),
        (
            ("--reservation", ODCR, "--api-from", "10.0.0.0/8"),
            "--api-from: '10.0.0.0/8' is a private network, but EKS allows only public ones here; ",
        ),
        (
            ("--reservation", ODCR, "--backend", "hyperpot"),
            ("--backend: 'hyperpot' is not a backend; did you mean 'hyperpod'?"),
        ),
        (
            ("--reservation", ODCR, "--backend", "slurm"),
            ("--backend: 'slurm' is not a backend; did you mean 'parallelcluster'?"),
        ),
        (
            ("--reservation", ODCR, "--instance", "p5.48xlarge"),
            "--instance is only for --on-demand and --offline, because AWS returns this value; leave it out",
        ),
        (
            ("--interactive",),
            "--interactive needs a terminal, and there is none; give --reservation and other options instead",
        ),
        (
            ("--interactive", "--offline", "--reservation", ODCR),
            "--interactive needs AWS's answers, but --offline does not query AWS; give only one of them",
        ),
        (("--reservation", ODCR, "--group", "workers"), "--group is a group of the stack that --from copies; "),
        (("--from", "p5-odcr", "--nodes", "2"), "--nodes with --from also needs the capacity of the copy; "),
        (
            ("--offline", "--reservation", ODCR),
            "--offline does not query AWS for the instance type; give --instance, as in p5.48xlarge",
        ),
        (
            ("--offline", "--reservation", ODCR, "--instance", "p5.48xlarge", "--zone", "us-east-1a"),
            "--zone us-east-1a is not in us-west-2; give a zone of us-west-2, or another --region",
        ),
        (
            ("--offline", "--reservation", ODCR, "--instance", "p5.48xlarg"),
            (
                f"Muster cannot create a stack for {ODCR}: 'p5.48xlarg' is not an instance type that Muster knows; did "
                "you mean 'p5.48xlarge'?"
            ),
        ),
        (
            ("--reservation", ODCR, "--backend", "parallelcluster", *API, "--offline", "--instance", "p5.48xlarge"),
            "--api-from is for a Kubernetes API, but a Slurm cluster has none; leave it out",
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


@pytest.mark.parametrize("name", ["P5", "p5_mine", "5p", "p" * 41, "../p5", "p5/mine", "p5 mine"])
def test_a_name_that_no_stack_may_have_is_refused(muster: Muster, name: str) -> None:
    """Its cluster has it."""
    ran = muster("init", name, "--reservation", ODCR, *IN_REGION)
    assert ran.code == 2
    assert f"error: '{name}' cannot be the name of the stack and of its cluster" in ran.err
    assert left(muster) == []


def test_a_misspelt_region_is_refused_before_anything_is_asked(muster, monkeypatch) -> None:
    """With the near miss, whoever said it: an option or the environment."""
    asked = ("init", "p5-mine", "--reservation", ODCR)
    ran = muster(*asked, "--region", "us-wst-2")
    assert ran.code == 2
    assert "--region: 'us-wst-2' is not a Region; did you mean 'us-west-2'?" in ran.err
    ran = muster(*asked, "--region", "us-west-2a")
    assert (ran.code, ran.err) == (2, "error: --region: 'us-west-2a' is a zone; did you mean its Region, us-west-2?\n")
    monkeypatch.setenv("AWS_REGION", "us-wst-2")
    ran = muster(*asked)
    assert ran.code == 2
    assert "'us-wst-2' is not a Region; did you mean 'us-west-2'? (set by AWS_REGION or the profile" in ran.err


@pytest.mark.parametrize("given", [("--reservation", ODCR), ("--from", "p5-odcr")])
def test_without_credentials_it_says_what_to_set(
    muster: Muster, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    """And what does without."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    ran = muster("init", "p5-mine", *given, *IN_REGION)
    assert ran.code == 2
    assert ran.err == (
        "error: there are no AWS credentials; set AWS_PROFILE or --profile, AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login --profile PROFILE`; or give --offline, which does not "
        "query AWS and writes placeholders\n"
    )
    assert left(muster) == []


def test_a_region_that_nobody_answers_for_is_named(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be misspelt in a way that Muster does not know, or not be the one that was meant."""
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda *_: 0.0)
    ran = muster("init", "p5-mine", "--reservation", ODCR, "--region", "us-east-9")
    first, second = ran.err.splitlines()
    assert ran.code == 2
    assert first.startswith(
        f"error: reservation {ODCR}: not answered (ec2 DescribeCapacityReservations, unreachable): "
    )
    assert second == (
        "error: not reached: no answer from http://127.0.0.1:9; check AWS_ENDPOINT_URL=http://127.0.0.1:9, set in this "
        "shell, and the Region, us-east-9"
    )
    assert left(muster) == []


def test_the_region_is_the_sessions_own_or_asked_for(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """$AWS_REGION, $AWS_DEFAULT_REGION, the profile's; else it is refused."""
    ran = muster("init", "p5-mine", "--reservation", ODCR)
    assert (ran.code, ran.err) == (
        2,
        "error: the Region is not set; give --region, or set AWS_REGION or the profile's region\n",
    )
    for number, variable in enumerate(("AWS_DEFAULT_REGION", "AWS_REGION")):
        monkeypatch.setenv(variable, "us-west-2")
        with playing(Aws(Account().answers())) as address:
            monkeypatch.setenv("AWS_ENDPOINT_URL", address)
            assert muster("init", f"p5-{number}", "--reservation", ODCR, "--as-of", "2026-11-22").code == 0
        monkeypatch.delenv(variable)


ARN = f"arn:aws:ec2:{REGION}:210987654321:capacity-reservation/{BLOCK}"
NAMELESS = "the new stack has no name; give a name first, as in `muster init p5-mine --reservation cr-...`"
AIMLESS = (
    "the capacity is not set; give --reservation cr-..., --capacity-block cr-..., --training-plan ARN, "
    "--on-demand, --from STACK, --from-file FILE, or --interactive"
)


def lonely(given: str, option: str) -> str:
    """What is said of one."""
    return f"{given} needs its option; give {option}"


A_RESERVATION = lonely(ODCR, f"--reservation {ODCR}, or --capacity-block {ODCR} for a Capacity Block")

SAID = {
    "an id": (("p5-mine", ODCR), [A_RESERVATION]),
    "an id before the name": ((ODCR, "p5-mine"), [A_RESERVATION]),
    "an id alone": ((ODCR,), [A_RESERVATION, NAMELESS]),
    "an ARN": (("x", ARN), [lonely(ARN, f"--reservation {BLOCK}, or --capacity-block {BLOCK} for a Capacity Block")]),
    "a plan": (("pool", PLAN), [lonely(PLAN, f"--training-plan {PLAN}")]),
    "a VPC": (("x", "vpc-0123456789abcdef0", "--reservation", ODCR), [
        lonely("vpc-0123456789abcdef0", "--vpc vpc-0123456789abcdef0")
    ]),
    "nothing": ((), [NAMELESS, AIMLESS]),
    "no name": (("--reservation", ODCR), [NAMELESS]),
    "a second name": (("p5-mine", REGION, "--reservation", ODCR), [
        f"a new stack has one name, but 2 are given: p5-mine, {REGION}; options begin with --"
    ]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_each_is_told_and_nothing_is_asked(muster: Muster, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """In words, with the option that was meant; every fault at once."""
    given, said = SAID[case]
    with there({}, monkeypatch) as aws:
        ran = muster("init", *given)
    assert (ran.code, ran.out, aws.asked) == (2, "", [])
    assert ran.err.splitlines() == [f"error: {each}" for each in said]


def test_a_name_may_look_like_an_id_where_what_it_is_for_is_said(muster: Muster) -> None:
    """It is the user's."""
    ran = muster("init", BLOCK, "--reservation", ODCR, "--offline", "--instance", "p5.48xlarge", "--region", REGION)
    assert ran.code == 0, ran.err
    assert muster.file(BLOCK).exists()


def test_an_option_that_there_is_none_of_is_still_refused(muster: Muster) -> None:
    """Only what is no option may stand beside the name."""
    ran = muster("init", "p5-mine", "--resrvation", ODCR)
    assert ran.code == 2
    assert "No such option: --resrvation" in ran.err


def test_the_policy_takes_no_name_and_no_region(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks rights has nothing yet to name; it is the same for every stack and Region."""
    alone = muster("init", "--print-iam-policy")
    assert (alone.code, alone.err) == (0, "")
    monkeypatch.setenv("AWS_REGION", "cn-north-1")
    assert muster("init", "mine", "--reservation", ODCR, "--print-iam-policy").json == alone.json


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
