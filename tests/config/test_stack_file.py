"""What a stack file says beside its description, and where what is found in it stands."""

from pathlib import Path

import pytest

from muster.config.document import parse
from muster.finding import Finding, KeyPath, Level, dotted_path, parse_dotted_path
from muster.stack.stack_file import load, load_values
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared
from tests.stack_files import text_of

FILE, FACTS = Path("stacks/Pulumi.mine.yaml"), Path("stacks/facts/mine.json")


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ("", ()),
        ("groups", ("groups",)),
        ("groups.workers.nodes", ("groups", "workers", "nodes")),
        ("access[0].policy", ("access", 0, "policy")),
        ("a[1][2].b", ("a", 1, 2, "b")),
    ],
)
def test_a_place_is_a_path(where: str, path: KeyPath) -> None:
    """Nothing is the description itself."""
    assert parse_dotted_path(where) == path
    assert dotted_path(path) == where


@pytest.mark.parametrize(
    ("said", "accounts"),
    [
        ("", ()),
        ("  aws:allowedAccountIds: []\n", ()),
        ('  aws:allowedAccountIds: ["210987654321", "111122223333"]\n', ("210987654321", "111122223333")),
        ("  aws:allowedAccountIds: '[\"210987654321\"]'\n", ("210987654321",)),
        ('  aws:allowedAccountIds: ["2109876543210"]\n', ()),
    ],
)
def test_the_accounts_that_a_stack_may_be_deployed_to(said: str, accounts: tuple[str, ...]) -> None:
    """A list, or its JSON; whoever names none may deploy to any."""
    lines = [line for line in text_of("p5-efa").splitlines(keepends=True) if "allowedAccountIds" not in line]
    at = lines.index("config:\n") + 1
    opened = load("mine", FILE, FACTS, text="".join([*lines[:at], said, *lines[at:]]))
    assert opened.faults == ()
    assert opened.allowed_accounts == accounts


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shared:
    """Both stacks of the example."""
    monkeypatch.chdir(tmp_path)
    return Shared.in_folder(tmp_path)


CHART = "charts: {{{0}: {{repository: https://example.com, chart: x, version: 1.0.0, namespace: {0}}}}}"
SAID = {
    "suppress": '[{rule: some-rule, at: api, reason: "known and all right", until: "2026-12-31"}]',
    "chart-mirror": "oci://registry.example.com/charts",
    "image-mirror": "registry.example.com/images",
}
"""What each stack says of itself, though the cluster's stack says the same key."""
IN_ADDONS, IN_CLUSTER, IN_EITHER = frozenset({ADDONS}), frozenset({CLUSTER}), frozenset({ADDONS, CLUSTER})


@pytest.mark.parametrize(
    ("where", "text", "stacks"),
    [
        ("addons-of", f"addons-of: {FULL}", IN_ADDONS),
        ("groups.workers.nodes", "nodes: 1", IN_CLUSTER),
        *((key, f"{key}: ", IN_EITHER) for key in SAID),
        # Each release, and what is below it, in the stack that installs it.
        *((f"addons.mpi-operator{below}", "mpi-operator: {}", IN_ADDONS) for below in ("", ".values")),
        *((f"addons.charts.x{below}", CHART.format("x"), IN_ADDONS) for below in ("", ".version")),
        *((f"addons.charts.y{below}", CHART.format("y"), IN_CLUSTER) for below in ("", ".version", ".values")),
        # What nobody installs, and what holds several, in the stack that is looked at.
        *((where, "", IN_EITHER) for where in ("addons", "addons.charts", "addons.charts.z", "addons.kueue")),
    ],
)
def test_what_is_found_is_told_in_the_file_that_says_it(
    shared: Shared, where: str, text: str, stacks: frozenset[str]
) -> None:
    """Of a cluster of several stacks: nobody is sent to the wrong file, whichever stack is looked at."""
    own = "".join(f"    {key}: {value}\n" for key, value in SAID.items())
    shared.edit("      mpi-operator: {}\n", f"      mpi-operator: {{}}\n      {CHART.format('x')}\n")
    shared.edit("    addons-of:", f"{own}    addons-of:")
    shared.edit("    addons-in:", f"    addons: {{{CHART.format('y')}}}\n{own}    addons-in:", CLUSTER)
    for looked_at in (ADDONS, CLUSTER):
        opened = shared.open(looked_at)
        assert opened.faults == ()
        if where == "addons-of" and looked_at == CLUSTER:
            continue
        (stack,) = stacks & {looked_at} or stacks
        located = opened.locate(Finding(where, "some-rule", Level.MANDATORY, "got", "remedy"))
        assert located.file.name == f"Pulumi.{stack}.yaml"
        assert not text or located.position.line == shared.line(text, stack)


def test_a_region_of_the_engines_that_is_none_is_told_where_the_file_says_one(tmp_path: Path) -> None:
    """At its line, with its form; there the stack has no description."""
    file = tmp_path / "Pulumi.mine.yaml"
    file.write_text(text_of("p5-efa"))
    said = parse(text_of("p5-efa"), file).data["config"]["muster:cluster"]
    opened = load_values("mine", said, "us-west-2a", file, tmp_path / "none.json")
    (fault,) = opened.faults
    (line,) = [number for number, each in enumerate(text_of("p5-efa").splitlines(), 1) if "aws:region" in each]
    assert (opened.described, fault.file, fault.position.line) == (None, file, line)
    assert fault.finding.where == "aws:region"


NO_REGION = {
    "[]\n": "",
    "config:\n": "config",
    "config: []\n": "config",
    "config:\n  muster:policies: {}\n": "aws:region",
}


@pytest.mark.parametrize("text", NO_REGION)
def test_a_file_without_a_region_has_none(text: str) -> None:
    """Nor one of another name, which whoever has its cluster would be told of: what is missing is all that is said."""
    opened = load("mine", FILE, FACTS, text=text)
    places = {each.finding.where for each in opened.faults}
    assert (opened.region, opened.described) == ("", None)
    assert NO_REGION[text] in places
    assert places <= {NO_REGION[text], "muster:cluster"}


OF_THE_ENGINE = {
    "encryptionsalt": "v1:x",
    "encryptedkey": "x",
    "secretsprovider": "awskms://x",
    "environment": "[dev]",
    "packages": "{}",
}
"""What Pulumi keeps in a stack's file beside its configuration (`workspace.ProjectStack`)."""


def test_what_the_engine_keeps_in_the_file_is_none_of_ours() -> None:
    """Every key that it writes; a key that is nearly one of them is told with all of them."""
    beside = "".join(f"{key}: {value}\n" for key, value in OF_THE_ENGINE.items())
    assert load("mine", FILE, FACTS, text=beside + text_of("p5-efa")).faults == ()
    for key in OF_THE_ENGINE:
        (fault,) = load("mine", FILE, FACTS, text=f"{key[:-1]}: x\n{text_of('p5-efa')}").faults
        assert fault.finding.where == key[:-1]
        assert all(each in f"{fault.finding.got} {fault.finding.remedy}" for each in OF_THE_ENGINE)


def test_a_stack_whose_name_is_no_clusters_is_told_to_name_it() -> None:
    """At the description, which lacks the name."""
    text = text_of("p5-efa")
    (fault,) = load("My_Stack", FILE, FACTS, text=text).faults
    assert text.splitlines()[fault.position.line - 1] == "  muster:cluster:"
    assert fault.finding.where == "name"
    assert "'My_Stack'" in fault.finding.got


def test_what_the_engine_says_otherwise_than_the_file_is_told_by_its_path(tmp_path: Path) -> None:
    """`--config` and another `--config-file` give values that stand in no line; where they agree, the line is told."""
    file = tmp_path / "Pulumi.mine.yaml"
    file.write_text(text_of("p5-efa"))
    said = parse(text_of("p5-efa"), file).data["config"]["muster:cluster"]
    assert isinstance(said, dict)
    finding = Finding("kubernetes", "some-rule", Level.MANDATORY, "got", "remedy")
    for version, shown in (
        (said["kubernetes"], f"{file}:"),
        ("1.30", f"muster:cluster.kubernetes (not the value in {file}"),
    ):
        opened = load_values("mine", {**said, "kubernetes": version}, "us-west-2", file, tmp_path / "none.json")
        located = opened.locate(finding)
        assert located.elsewhere == (version == "1.30")
        assert str(located).startswith(shown)


@pytest.mark.parametrize(
    ("named", "told"), [("", True), ("    name: p5\n", False), ("    control-plane: {existing: {name: p5}}\n", False)]
)
def test_a_stack_of_any_name_is_a_cluster_that_has_one(named: str, *, told: bool) -> None:
    """By `name`, or as the cluster that it joins; without it is told beside whatever else is wrong."""
    text = f"config:\n  aws:region: us-west-2\n  muster:cluster:\n    backend: eks\n{named}"
    found = {each.finding.where for each in load("My_Stack", FILE, FACTS, text=text).faults}
    assert "kubernetes" in found
    assert ("name" in found) is told


def test_a_stack_with_a_fault_describes_nothing() -> None:
    """Whoever finds one, and beside those that were found before."""
    sound = load("g4dn", FILE, FACTS, text=text_of("g4dn"))
    assert sound.described is not None
    assert sound.with_faults([]).described == sound.described
    first, second = (sound.place((key,)) for key in ("backend", "groups"))
    once = sound.with_faults([first])
    twice = once.with_faults([second, first])
    assert [each.described for each in (once, twice)] == [None, None]
    assert [each.faults for each in (once, twice)] == [(first,), tuple(sorted([first, second]))]
