"""`muster cost`: what stacks cost, whose prices those are, and what a user gets wrong."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from muster.account import session
from muster.cli.commands import cost as command
from muster.config.project import stacks
from tests.account.aws import Answers, Aws, Refused, denied, playing
from tests.account.test_price_list import instance, used
from tests.cli.conftest import Muster, Ran
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared
from tests.stack_files import AS_OF, ROOT


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No credentials, whatever the machine has."""
    home = tmp_path_factory.mktemp("aws")
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(home / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(home / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials of a test."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")


def offline(muster: Muster, *arguments: str) -> Ran:
    return muster.judged("cost", *arguments, "--offline")


def line_of(ran: Ran, *words: str) -> str:
    (found,) = [line for line in ran.out.splitlines() if all(word in line for word in words)]
    return " ".join(found.split())


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_the_text_of_every_stack_is_the_golden_one(muster: Muster, stack: str) -> None:
    """With its facts, offline, on the day of the goldens."""
    muster.take(stack)
    ran = offline(muster, stack)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (ROOT / "tests" / "golden" / f"{stack}.cost.txt").read_text()


UNPRICED = {
    "hyperpod-existing-eks": {"volume hyperpod"},
    "hyperpod-p5": {"service mlflow-small", "volume hyperpod"},
    "hyperpod-p6e-gb200": {"volume hyperpod"},
    "hyperpod-slurm-p5": {"hyperpod m5.4xlarge", "hyperpod m5.8xlarge", "volume hyperpod"},
    "hyperpod-teams": {"volume hyperpod"},
    "hyperpod-training-plan": {"volume hyperpod"},
    "hyperpod-trn1": {"hyperpod trn1.32xlarge", "volume hyperpod"},
    "trn2-ultraserver": {"volume gp3"},
}
"""What of the stacks no source prices: HyperPod's own, of which the public copies of the Price List have little, and
volumes in us-east-2."""


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_everything_in_the_stacks_has_a_price_but_for_these(muster: Muster, stack: str) -> None:
    """Every type, volume, file system, gateway of EC2's, EKS's and ParallelCluster's stacks."""
    muster.take(stack)
    (told,) = offline(muster, stack, "--json").json["stacks"]
    assert set(told["unknown"]) == UNPRICED.get(stack, set())


def test_the_reference_stack_in_words(muster: Muster) -> None:
    """The total first, what of it is committed, each part, what is not counted, whose prices."""
    muster.take("p5-odcr")
    ran = offline(muster, "p5-odcr")
    assert ran.out.splitlines()[:3] == [
        "p5-odcr (eks, us-west-2): about $55.52 an hour now, $40,532.40 a month",
        "  between $55.52 and $56.23 an hour, as groups scale",
        "  of this, $55.04 an hour is for reservations, whether nodes run or not",
    ]
    assert line_of(ran, "EKS control plane") == (
        "EKS control plane, Kubernetes 1.35 - 1 $0.10 an hour table, 2026-10-06 $0.10 $73.00 "
        "on demand; standard support until 2027-03-27"
    )
    assert line_of(ran, "p5.48xlarge", "workers") == (
        "p5.48xlarge workers 1 $55.04 an hour table, 2026-09-01 $55.04 $40,179.20 "
        "reserved; cr-fill-me-in: billed in full, used or not, until it ends or you cancel it"
    )
    assert line_of(ran, "100 GiB gp3") == (
        "100 GiB gp3 volume system 1 to 3, 1 at first $0.08 per GB-month table, 2026-10-04 $0.01 (to $0.03) "
        "$8.00 (to $24.00) on demand"
    )
    assert "  data transfer by the GB: between zones, to the internet, through NAT gateways and endpoints\n" in ran.out
    assert ran.out.endswith("AWS gave no prices: --offline\nIn US dollars, before tax; a month has 730 hours.\n")


def test_a_block_is_told_with_the_hours_to_its_end(muster: Muster) -> None:
    """It is in no total; what one like it is sold for is beside it, with the day of that price."""
    muster.take("p5-capacity-block")
    ran = muster("cost", "p5-capacity-block", "--offline", "--as-of", "2026-12-10")
    assert (
        line_of(ran, "cr-fill-me-in", "workers") == "cr-fill-me-in workers 1 p5.48xlarge 2026-12-15 11:30 UTC 131.5 h"
    )
    assert line_of(ran, "cr-fill-me-in: paid in advance") == (
        "cr-fill-me-in: paid in advance; the current price of its kind is $16,047.36 for 336 h "
        "at $47.76 an instance and hour (2026-10-07)"
    )
    assert "\n  left: counted from the start of 2026-12-10 in UTC\n" in ran.out
    (told,) = muster("cost", "p5-capacity-block", "--offline", "--as-of", "2026-12-10", "--json").json["stacks"]
    assert told["prepaid"] == [
        {
            "way": "capacity-block",
            "name": "cr-fill-me-in",
            "instance": "p5.48xlarge",
            "count": 1,
            "groups": ["workers"],
            "starts": "2026-12-01T11:30:00+00:00",
            "ends": "2026-12-15T11:30:00+00:00",
            "hours": "336",
            "hoursLeft": "131.5",
            "hoursLeftFrom": "2026-12-10T00:00:00+00:00",
            "ended": False,
            "toBuy": False,
            "each": {
                "usd": "47.76",
                "unit": "hour",
                "source": told["prepaid"][0]["each"]["source"],
                "seen": "2026-10-07",
                "asked": False,
                "near": None,
            },
            "soldFor": "16047.36",
        }
    ]


def test_hours_are_counted_from_the_moment_that_is_known(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --as-of it is now; the block's own hours are AWS's, where it was asked."""
    muster.take("p5-capacity-block")
    now = datetime(2026, 12, 10, 9, 30, tzinfo=UTC)
    monkeypatch.setattr("muster.clock.now", lambda: now)
    monkeypatch.setattr("muster.cli.options.today", now.date)
    known = {"start": "2026-12-01T11:30:00Z", "end": "2026-12-16T11:30:00Z", "totalInstances": 2}
    muster.facts({"reservations": {"cr-fill-me-in": known}}, "p5-capacity-block")
    ran = muster("cost", "p5-capacity-block", "--offline")
    row = "cr-fill-me-in workers 2 p5.48xlarge 2026-12-16 11:30 UTC 146 h"
    assert line_of(ran, "cr-fill-me-in", "workers") == row
    assert "\n  left: counted from 2026-12-10 09:30 UTC\n" in ran.out


def test_a_block_that_is_over_holds_nothing(muster: Muster) -> None:
    """It is told, and no longer a thing that is paid in advance."""
    muster.take("p5-capacity-block")
    ran = muster("cost", "p5-capacity-block", "--offline", "--as-of", "2026-12-16")
    row = "cr-fill-me-in workers 1 p5.48xlarge 2026-12-15 11:30 UTC nothing: it has ended"
    assert line_of(ran, "cr-fill-me-in", "workers") == row
    over = "cr-fill-me-in: paid in advance; it has ended, so nothing runs on it"
    assert line_of(ran, "nothing runs on it") == over
    (told,) = muster("cost", "p5-capacity-block", "--offline", "--as-of", "2026-12-16", "--json").json["stacks"]
    assert [(each["ended"], each["hoursLeft"]) for each in told["prepaid"]] == [(True, "0")]
    planned = muster("plan", "p5-capacity-block", "--as-of", "2026-12-16", "--json").json
    assert planned["cost"]["prepaid"] == 0


def test_faults_of_form_are_told_to_programs_as_check_tells_them(muster: Muster) -> None:
    """Of all stacks at once; nothing is asked or counted."""
    muster.edit("instance: p5.48xlarge", "instance: p5.48xlrge")
    ran = offline(muster, "p5-odcr", "--json")
    assert (ran.code, ran.err) == (2, "")
    assert ran.json == muster.judged("check", "p5-odcr", "--json").json
    (found,) = ran.json["stacks"][0]["findings"]
    assert found["where"]["path"] == "groups.workers.instance"
    assert found["remedy"].startswith("did you mean 'p5.48xlarge'?")


def test_extended_support_is_a_line_of_its_own(muster: Muster) -> None:
    """From the day after standard support ends."""
    ran = muster("cost", "p5-odcr", "--offline", "--as-of", "2027-03-28")
    assert line_of(ran, "Extended support") == (
        "Extended support of Kubernetes 1.35 - 1 $0.50 an hour table, 2026-10-06 $0.50 $365.00 "
        "on demand; since 2027-03-28; to stop it, upgrade"
    )
    assert "Extended" not in muster("cost", "p5-odcr", "--offline", "--as-of", "2027-03-27").out


def test_hyperpods_near_prices_are_marked(muster: Muster) -> None:
    """A price that stands in for another says so; what has none says that."""
    muster.take("hyperpod-p5")
    ran = offline(muster, "hyperpod-p5")
    assert ran.out.startswith("hyperpod-p5 (hyperpod, us-west-2): at least $256.14 an hour now")
    assert (
        "  without these, which have no known price: MLflow tracking server (Small), 100 GiB volume, 500 GiB volume\n"
        in ran.out
    )
    assert "~$63.296 an hour" in line_of(ran, "ml.p5.48xlarge", "workers")
    assert "  ml.p5.48xlarge: SageMaker's price of the type in Studio, because HyperPod's price is unknown\n" in ran.out
    (server,) = [line.split() for line in ran.out.splitlines() if line.startswith("MLflow tracking server")]
    assert " ".join(server[4:]) == "- 1 - - no price known no price known on demand"


def numbers(found: Any) -> Iterator[Any]:
    if isinstance(found, Mapping):
        for each in found.values():
            yield from numbers(each)
    elif isinstance(found, list):
        for each in found:
            yield from numbers(each)
    else:
        yield found


def test_json_has_no_float_and_parts_that_add_up(muster: Muster) -> None:
    """Amounts are decimals in strings; counts are whole."""
    for stack in ("p5-odcr", "pcluster-p4de-batch-g5", "hyperpod-p5"):
        muster.take(stack)
        document = offline(muster, stack, "--json").json
        assert not [each for each in numbers(document) if isinstance(each, float)]
        (told,) = document["stacks"]
        for name in ("min", "start", "max"):
            parts = [Decimal(line["monthly"][name]) for line in told["lines"] if line["monthly"]]
            assert sum(parts) == Decimal(told["monthly"][name])


def test_the_keys_of_the_json(muster: Muster) -> None:
    """Contract 1: fields may be added, never renamed."""
    document = offline(muster, "p5-odcr", "--json").json
    assert {key: document[key] for key in document if key != "stacks"} == {
        "contract": 1,
        "currency": "USD",
        "hoursAMonth": 730,
        "asOf": AS_OF,
        "asked": False,
        "unasked": "--offline",
        "unanswered": [],
        "advice": [],
    }
    (told,) = document["stacks"]
    assert list(told) == [
        *("stack", "backend", "region", "hourly", "monthly", "committed", "unknown", "lines", "prepaid", "notCounted"),
    ]
    workers = next(line for line in told["lines"] if line["item"] == "instance p5.48xlarge")
    assert workers == {
        "what": "p5.48xlarge",
        "item": "instance p5.48xlarge",
        "group": "workers",
        "billed": "committed",
        "count": {"min": 1, "start": 1, "max": 1},
        "size": 1,
        "each": {
            "usd": "55.04",
            "unit": "hour",
            "source": workers["each"]["source"],
            "seen": "2026-09-01",
            "asked": False,
            "near": None,
        },
        "hourly": {"min": "55.04", "start": "55.04", "max": "55.04"},
        "monthly": {"min": "40179.2", "start": "40179.2", "max": "40179.2"},
        "note": "cr-fill-me-in: billed in full, used or not, until it ends or you cancel it",
    }


def test_several_stacks_and_all_of_them(muster: Muster) -> None:
    """In the order given, each once; their sources once, at the end."""
    muster.take("trn1")
    ran = offline(muster, "trn1", "p5-odcr", "trn1")
    heads = [line for line in ran.out.splitlines() if "an hour now" in line]
    assert [head.split(" ")[0] for head in heads] == ["trn1", "p5-odcr"]
    assert ran.out.count("Prices: ") == 1
    every = offline(muster, "--all", "--json").json["stacks"]
    assert [each["stack"] for each in every] == ["p5-odcr", "trn1"]


def test_add_ons_of_another_stacks_cluster_cost_nothing_by_themselves(muster: Muster) -> None:
    """The cluster's stack has its cost, and need not be at hand."""
    shared = Shared.in_folder(muster.folder)
    for _ in range(2):
        ran = offline(muster, ADDONS)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith(f"{ADDONS} (add-ons of {FULL}, us-west-2): nothing by the hour\n")
        assert (
            "\n  this stack has nothing that AWS bills by the hour: its add-ons run on another stack's cluster"
            in ran.out
        )
        shared.file(CLUSTER).unlink(missing_ok=True)
    (told,) = offline(muster, ADDONS, "--json").json["stacks"]
    assert (told["backend"], told["lines"]) == (None, [])


# --- who is asked -----------------------------------------------------------------------------------------------------


def test_offline_asks_nobody(muster: Muster, somebody: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even whether there are credentials."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(session.Session, "__post_init__", never)
    assert offline(muster, "p5-odcr").code == 0


def test_without_credentials_the_table_is_used_and_says_so(muster: Muster) -> None:
    """And how to be asked for; it is no error."""
    ran = muster.judged("cost", "p5-odcr")
    assert (ran.code, ran.err) == (0, "")
    assert "Prices: from the table of 2025-12-12 to 2026-10-06, 4 prices, from:\n" in ran.out
    assert "\nAWS gave no prices: there are no AWS credentials; set AWS_PROFILE or --profile," in ran.out
    assert muster.judged("cost", "p5-odcr", "--json").json["asked"] is False


def played(monkeypatch: pytest.MonkeyPatch, muster: Muster, said: Answers, *arguments: str) -> tuple[Ran, Aws]:
    aws = Aws({"pricing.GetProducts": said})
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        return muster.judged("cost", *arguments), aws


def some(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of AWS: what a p5.48xlarge costs, and a control plane."""
    rows = {
        "AmazonEC2": [instance("60.0000000000")] if "p5.48xlarge" in str(parameters) else [],
        "AmazonEKS": [used("0.1000000000", "USW2-AmazonEKS-Hours:perCluster", "Hours")],
    }
    return {"PriceList": [json.dumps(each) for each in rows.get(parameters["ServiceCode"], [])]}


def test_aws_prices_stand_before_the_tables_and_each_line_says_whose_it_is(
    muster: Muster, somebody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What AWS does not say is the table's."""
    monkeypatch.setenv("MUSTER_AS_OF", "2026-11-22")
    ran, aws = played(monkeypatch, muster, some, "p5-odcr")
    assert (ran.code, ran.err) == (0, "")
    assert "$60.00 an hour AWS, 2026-11-22 $60.00" in line_of(ran, "p5.48xlarge", "workers")
    assert "$0.34 an hour table, 2025-12-12" in line_of(ran, "c5.2xlarge")
    assert "\nPrices: 2 prices from AWS's Price List on 2026-11-22.\n" in ran.out
    assert "\nPrices: from the table of 2025-12-12 to 2026-10-04, 2 prices, from:\n" in ran.out
    assert "AWS gave no prices" not in ran.out
    assert {each.region for each in aws.asked} == {"us-east-1"}
    document = json.loads(played(monkeypatch, muster, some, "p5-odcr", "--json")[0].out)
    assert (document["asked"], document["unasked"]) == (True, None)


def test_who_may_not_ask_is_told_and_gets_the_tables(
    muster: Muster, somebody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Denied is not free: the price is the table's."""
    ran, _ = played(monkeypatch, muster, denied("pricing", "GetProducts"), "p5-odcr")
    assert ran.code == 0
    assert "$55.04 an hour table, 2026-09-01" in line_of(ran, "p5.48xlarge", "workers")
    assert "\nAWS did not return 4 prices; the first is the price of an EKS control plane: not answered " in ran.out
    assert " (pricing GetProducts, denied): AccessDeniedException: User: " in ran.out


def test_credentials_that_aws_does_not_take_leave_the_table(
    muster: Muster, somebody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And say so: they may have expired."""
    expired = Refused("ExpiredTokenException", "The security token included in the request is expired")
    ran, _ = played(monkeypatch, muster, expired, "p5-odcr")
    assert ran.code == 0
    assert "\nAWS gave no prices: AWS does not accept the credentials: ExpiredTokenException" in ran.out
    assert "about $55.52 an hour now" in ran.out


def test_an_aws_that_is_slow_is_not_waited_for(muster: Muster, somebody: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a table behind it."""
    monkeypatch.setattr(command, "SECONDS", 0.3)
    answered = threading.Event()
    aws = Aws({"pricing.GetProducts": some}, before=lambda _: answered.wait(60))
    begun = time.monotonic()
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ran = muster.judged("cost", "p5-odcr")
        assert time.monotonic() - begun < 30, "AWS answers after 60 seconds"
        answered.set()
    late = (
        "not answered (pricing GetProducts, timed out): no answer within 0.3 seconds, the limit of all queries together"
    )
    assert f"the price of an EKS control plane: {late}" in ran.out
    assert "about $55.52 an hour now" in ran.out


def test_regions_of_other_partitions_are_not_asked_about(muster: Muster, somebody: None) -> None:
    """Nor priced by another's list."""
    file = muster.file("p5-odcr")
    file.write_text(file.read_text().replace("us-west-2", "us-gov-west-1").replace("arn:aws:", "arn:aws-us-gov:"))
    ran = muster.judged("cost", "p5-odcr")
    assert ran.code == 0, ran.err
    assert "AWS gave no prices: the AWS Price List of the commercial Regions has no prices for these stacks" in ran.out
    assert ran.out.startswith("p5-odcr (eks, us-gov-west-1): no price known\n")
    (told,) = muster.judged("cost", "p5-odcr", "--json").json["stacks"]
    assert (told["hourly"], told["monthly"], told["committed"]) == (None, None, {"hourly": None, "monthly": None})
    assert muster.judged("plan", "p5-odcr", "--json").json["cost"]["hourly"] is None


# --- what a user gets wrong -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "error: give a stack, or --all (stacks: p5-odcr)\n"),
        (("p5-odcr", "--all"), "error: give stacks or --all, not both\n"),
        (
            ("p5-odcr", "--offline", "--profile", "ml"),
            "error: --profile selects AWS credentials, but --offline does not query AWS; give only one of them\n",
        ),
    ],
)
def test_wrong_words_are_told(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    """What, and what to do. Exit 2."""
    ran = muster("cost", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", said)


def test_an_unknown_stack_is_told_with_the_nearest(muster: Muster) -> None:
    """As everywhere."""
    ran = muster("cost", "p5-odrc", "--offline")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: there is no stack 'p5-odrc' in {muster.folder / 'stacks'}; ")
    assert "; did you mean 'p5-odcr'?" in ran.err


def test_a_profile_that_is_not_there_is_wrong_input(muster: Muster) -> None:
    """Who names one wants it asked; the table in its place would be a surprise."""
    ran = muster("cost", "p5-odcr", "--profile", "ml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: there is no AWS profile 'ml' (profiles: none); set AWS_PROFILE")


def test_faults_of_form_are_told_with_their_place(muster: Muster) -> None:
    """Nothing is counted of what cannot be read."""
    muster.edit("instance: p5.48xlarge", "instance: p5.49xlarge")
    line, column = muster.place("p5.49xlarge", "p5.49xlarge")
    ran = offline(muster, "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}" in ran.err
    assert "'p5.49xlarge' is not an instance type that Muster knows" in ran.err


def test_a_day_that_is_none_is_wrong_input(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either way of giving it."""
    assert muster("cost", "p5-odcr", "--offline", "--as-of", "soon").code == 2
    monkeypatch.setenv("MUSTER_AS_OF", "soon")
    ran = muster("cost", "p5-odcr", "--offline")
    assert (ran.code, ran.err) == (
        2,
        "error: MUSTER_AS_OF is 'soon', which is not a date; write one as in 2026-12-31\n",
    )


def test_what_rules_find_does_not_keep_a_cost_back(muster: Muster) -> None:
    """A stack that is refused still says what it would cost."""
    muster.edit('kubernetes: "1.35"', 'kubernetes: "1.29"')
    assert muster.judged("check", "p5-odcr").code == 1
    ran = offline(muster, "p5-odcr")
    assert ran.code == 0
    assert "Extended support of Kubernetes 1.29" in ran.out


# --- the line of a plan -----------------------------------------------------------------------------------------------


def test_plan_has_the_line(muster: Muster) -> None:
    """By the table, whoever plans: it asks nobody."""
    muster.take("p5-odcr")
    _, costs, said = muster.judged("plan", "p5-odcr").out.partition("\nCosts ")
    assert f"{costs.strip()} {' '.join(said.partition(chr(10) * 2)[0].split())}" == (
        "Costs about $55.52 an hour now, $40,532.40 a month; at most $56.23 an hour. `muster cost p5-odcr` lists the "
        "parts. Prices: from the table of 2025-12-12 to 2026-10-06."
    )


def test_plan_has_the_sum_in_its_json(muster: Muster) -> None:
    """The same as `muster cost` has."""
    muster.take("p5-capacity-block")
    planned = muster.judged("plan", "p5-capacity-block", "--json").json["cost"]
    (told,) = offline(muster, "p5-capacity-block", "--json").json["stacks"]
    assert planned == {
        **{key: told[key] for key in ("hourly", "monthly", "committed", "unknown")},
        "prepaid": 1,
        "seen": ["2025-12-12", "2026-10-07"],
    }


def test_plan_of_add_ons_has_none(muster: Muster) -> None:
    """They cost what the cluster's nodes cost."""
    Shared.in_folder(muster.folder)
    ran = muster.judged("plan", ADDONS)
    assert "Costs " not in ran.out
    assert muster.judged("plan", ADDONS, "--json").json["cost"] is None


def test_the_goldens_are_of_the_stacks() -> None:
    """One each, and none of a stack that is gone."""
    found = {path.name.removesuffix(".cost.txt") for path in Path(ROOT, "tests", "golden").glob("*.cost.txt")}
    assert found == set(stacks(ROOT))
