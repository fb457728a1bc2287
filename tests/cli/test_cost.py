"""`muster cost`: what stacks cost, whose prices those are, and what a user gets wrong."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from muster.stack.project import stacks
from tests.cli.conftest import Muster, Ran
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared
from tests.stack_files import ROOT


def costs(muster: Muster, *arguments: str) -> Ran:
    return muster.judged("cost", *arguments)


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_the_text_of_every_stack_is_the_golden_one(muster: Muster, stack: str) -> None:
    """With its facts, offline, on the day of the goldens."""
    muster.take(stack)
    ran = costs(muster, stack)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (ROOT / "tests" / "golden" / f"{stack}.cost.txt").read_text()


UNPRICED = {
    "hyperpod-slurm-p5": {"hyperpod m5.4xlarge", "hyperpod m5.8xlarge"},
    "hyperpod-trn1": {"hyperpod trn1.32xlarge"},
}
"""What of the stacks no source prices: HyperPod's own, of which the public copies of the Price List have little."""


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_everything_in_the_stacks_has_a_price_but_for_these(muster: Muster, stack: str) -> None:
    """Every type, volume, file system, gateway of EC2's, EKS's and ParallelCluster's stacks."""
    muster.take(stack)
    (told,) = costs(muster, stack, "--json").json["stacks"]
    assert set(told["unknown"]) == UNPRICED.get(stack, set())


def test_faults_of_form_are_told_to_programs_as_check_tells_them(muster: Muster) -> None:
    """Of all stacks at once; nothing is asked or counted."""
    muster.edit("instance: p5.48xlarge", "instance: p5.48xlrge")
    ran = costs(muster, "p5-odcr", "--json")
    assert (ran.code, ran.err) == (2, "")
    assert ran.json == muster.judged("check", "p5-odcr", "--json").json
    (found,) = ran.json["stacks"][0]["findings"]
    assert found["where"]["path"] == "groups.workers.instance"
    assert found["remedy"].startswith("did you mean 'p5.48xlarge'?")


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
        document = costs(muster, stack, "--json").json
        assert not [each for each in numbers(document) if isinstance(each, float)]
        (told,) = document["stacks"]
        for name in ("start", "max"):
            parts = [Decimal(line["monthly"][name]) for line in told["lines"] if line["monthly"]]
            assert sum(parts) == Decimal(told["monthly"][name])


def test_several_stacks_and_all_of_them(muster: Muster) -> None:
    """In the order given, each once; their sources once, at the end."""
    muster.take("trn1")
    ran = costs(muster, "trn1", "p5-odcr", "trn1")
    heads = [line for line in ran.out.splitlines() if "an hour now" in line]
    assert [head.split(" ")[0] for head in heads] == ["trn1", "p5-odcr"]
    assert ran.out.count("Prices: ") == 1
    every = costs(muster, "--all", "--json").json["stacks"]
    assert [each["stack"] for each in every] == ["p5-odcr", "trn1"]


def test_add_ons_of_another_stacks_cluster_cost_nothing_by_themselves(muster: Muster) -> None:
    """The cluster's stack has its cost, and need not be at hand."""
    shared = Shared.in_folder(muster.folder)
    for _ in range(2):
        ran = costs(muster, ADDONS)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith(f"{ADDONS} (add-ons of {FULL}, us-west-2): nothing by the hour\n")
        assert (
            "\n  this stack has nothing that AWS bills by the hour: its add-ons run on another stack's cluster"
            in ran.out
        )
        shared.file(CLUSTER).unlink(missing_ok=True)
    (told,) = costs(muster, ADDONS, "--json").json["stacks"]
    assert (told["backend"], told["lines"]) == (None, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "error: give a stack, or --all (stacks: p5-odcr)\n"),
        (("p5-odcr", "--all"), "error: give stacks or --all, not both\n"),
    ],
)
def test_wrong_words_are_told(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    """What, and what to do. Exit 2."""
    ran = muster("cost", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", said)


def test_what_rules_find_does_not_keep_a_cost_back(muster: Muster) -> None:
    """A stack that is refused still says what it would cost."""
    muster.edit('kubernetes: "1.35"', 'kubernetes: "1.29"')
    assert muster.judged("check", "p5-odcr").code == 1
    ran = costs(muster, "p5-odcr")
    assert ran.code == 0
    assert "Extended support of Kubernetes 1.29" in ran.out


def test_plan_has_the_line(muster: Muster) -> None:
    """By the table, whoever plans: it asks nobody."""
    muster.take("p5-odcr")
    _, costs, said = muster.judged("plan", "p5-odcr").out.partition("\nCosts ")
    assert f"{costs.strip()} {' '.join(said.partition(chr(10) * 2)[0].split())}" == (
        "Costs about $55.48 an hour now, $40,500.40 a month; at most $56.16 an hour. `muster cost p5-odcr` lists the "
        "parts. Prices: from the table of 2025-12-12 to 2026-10-06."
    )


def test_plan_of_add_ons_has_none(muster: Muster) -> None:
    """They cost what the cluster's nodes cost."""
    Shared.in_folder(muster.folder)
    ran = muster.judged("plan", ADDONS)
    assert "Costs " not in ran.out


def test_the_goldens_are_of_the_stacks() -> None:
    """One each, and none of a stack that is gone."""
    found = {path.name.removesuffix(".cost.txt") for path in Path(ROOT, "tests", "golden").glob("*.cost.txt")}
    assert found == set(stacks(ROOT))
