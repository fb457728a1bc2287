"""The corpus: rules find in each broken cluster exactly what its entry states, and in each sound one nothing."""

import re

import pytest

from muster.cli.commands.check_fix import show_fixed
from muster.cli.rule_selection import RuleSelection
from muster.finding import Finding
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import Configuration
from muster.policies.engine.rule_index import sheet_of
from tests.corpus import BROKEN, SOUND, Entry, WrongEntry, edited, entries, entry, entry_of, names
from tests.corpus.judged import by_description, by_plan, by_program, read_entry
from tests.corpus.planned import changes, written
from tests.corpus.remedied import unmended
from tests.stack_files import text_of

BACKEND = re.compile(r"^ +backend: ([\w-]+)", re.MULTILINE)

UNFOUND = {
    "plugin-stays-with-its-devices": "needs the whole affinity of a chart of one's own",
}
"""Rule -> why no entry breaks it."""

TWICE = {
    "hyperpod-addon-without-what-it-needs": "needs cert-manager and the agent of pod identity",
    "pair-no-plugins": "lacks two plugins",
}
"""Entry -> why one rule has two findings at one place."""

OF_THE_ACCOUNT = {"identity-may-deploy"}
"""Rules about the account that deploys: no key of the description is wrong."""


def backend_of(one: Entry) -> str:
    """The backend of an entry; of a program without a stack, EKS's unless it makes a HyperPod cluster."""
    if one.stack:
        found = BACKEND.search(text_of(one.stack))
        assert found is not None, one.stack
        return found[1]
    return "hyperpod" if any("sagemaker:Cluster" in key for key in one.resources) else "eks"


@pytest.mark.parametrize("name", names(BROKEN))
def test_rules_find_the_faults_of_a_broken_entry(name: str) -> None:
    """Rules find each fault once, at its place, and nothing else, and report what they cannot judge. They find the same
    in what the program registers while ids are unknown: a gate that closes in a preview does not open on `up`."""
    one = entry_of(BROKEN, name)
    outcome = read_entry(one)
    if one.refused:
        assert outcome.found == {(each.at, each.says) for each in one.refused}
        return
    assert outcome.found == one.found
    assert outcome.unjudged == one.unjudged
    assert len(outcome.findings) == len(outcome.found) + (one.name in TWICE), "one place, one rule, one finding"
    for finding in outcome.findings:
        assert_whole(finding)
    assert by_program(one, preview=True).found == one.found
    if one.by_description:
        assert list(unmended(one)) == []


def assert_whole(finding: Finding) -> None:
    """Its texts are one line each, have no value in Python's form, and its remedy is not the rule's general one."""
    for text in (finding.got, finding.remedy):
        assert text.strip() == text
        assert text[-1] not in ".,;:"
        assert not re.search(r"None|UNKNOWN|Ref\(|frozenset|\[\]|\(\)|  |\n", text), text
    assert finding.remedy not in (finding.got, sheet_of(finding.rule).remedy)


def test_five_faults_with_one_right_change_each_are_mended_together(capsys: pytest.CaptureFixture[str]) -> None:
    """`muster check --fix` ends with a clean stack."""
    broken = ("addon-without-what-it-needs", "everything-tainted", "gpu-operator-installs-drivers", "no-efa-plugin")
    each = [entry_of(BROKEN, f"eks-{name}") for name in (*broken, "lustre-mount-name-of-another")]
    change = {key: value for one in each for key, value in one.change.items()}
    learn = {key: value for one in each for key, value in one.learn.items()}
    plain = {"name": "many", "kind": BROKEN, "says": "five faults together", "stack": each[0].stack}
    many = Entry.model_validate(plain | {"change": change, "learn": learn})
    assert len(by_description(many).findings) == 5
    left = show_fixed(many.opened(), many.as_of, RuleSelection(Configuration()), write=False)
    assert left.findings == ()
    assert capsys.readouterr().out.count("+++") == 1


@pytest.mark.parametrize("name", names(SOUND))
def test_rules_find_nothing_in_a_sound_entry(name: str) -> None:
    """Rules find nothing in an unusual cluster: not in its description, in its plan, or in a preview, in which ids are
    unknown. Its golden has what it changes in its stack's plan."""
    one = entry_of(SOUND, name)
    outcome = read_entry(one)
    assert outcome.found == frozenset()
    assert outcome.unjudged == one.unjudged
    assert by_program(one, preview=True).found == frozenset()
    if one.by_description:
        planned, differences = by_plan(one)
        assert differences == ()
        assert planned.found == frozenset()
    if one.stack:
        assert changes(one) == written(one), "run `make goldens`, read the difference, commit it with the reason"


def test_names_are_unique() -> None:
    """`python -m tools.corpus_entry NAME` finds an entry by its name alone."""
    names = [one.name for one in entries()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_every_backend_has_both() -> None:
    """Every backend has broken entries and sound ones."""
    for kind in (BROKEN, SOUND):
        backends = {"eks", "hyperpod", "hyperpod-slurm", "parallelcluster", "pcs"}
        assert {backend_of(one) for one in entries(kind)} == backends


def test_entries_name_facts_of_their_rules() -> None:
    """An entry names only facts that one of the rules it breaks cites."""
    for one in entries(BROKEN):
        if one.finds:
            assert set(one.facts) <= {fact for rule in one.finds for fact in sheet_of(rule).facts}, one.name


def test_every_rule_is_found_somewhere() -> None:
    """Every rule has a cluster that breaks it."""
    found = {rule for one in entries(BROKEN) for rule in one.finds}
    assert {rule.id for rule in all_rules()} - found == set(UNFOUND)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("says: something is wrong\nstack: p5-odcr\nfindz: {}\n", "findz: Extra inputs are not permitted"),
        ("says: something is wrong\nsays: twice\n", "says"),
        ("- a list", "holds no keys"),
        ("says: something is wrong\nfacts: [rules.md#1]\nstack: p5-odcr\n", "either finds something or is refused"),
        ("says: something is wrong\nstack: p5-odcr\nfinds: {a-rule: [groups]}\n", "say what documents"),
        ("says: something is wrong\nfacts: [rules.md#1]\nfinds: {a-rule: [groups]}\n", "say where it starts"),
        (
            "says: something is wrong\nfacts: [rules.md#1]\nstack: p5-odcr\nfinds: {a-rule: [groups]}\n",
            "nothing is changed",
        ),
        (
            "says: something is wrong\nfacts: [a.md#1]\nstack: p5-odr\nchange: {a: 1}\nfinds: {a-rule: [b]}\n",
            "stack: there is no stacks/Pulumi.p5-odr.yaml",
        ),
        (
            "says: it is wrong\nfacts: [a.md#1]\nstack: p5-odcr\nchange: {a: 1}\nfinds: {spot-not-for-train: [b]}\n",
            "no rule 'spot-not-for-train'; did you mean 'spot-not-for-training'?",
        ),
        (
            "says: something is wrong\nfacts: [rules.md#1]\nstack: p5-odcr\nchange: {a: 1}\nfinds: {a-rule: []}\n",
            "a rule is given with its places",
        ),
        (
            "says: something is wrong\nfacts: [rules.md#1]\nchange: {a: 1}\nresources: {a::b: {}}\nfinds: {c: [d]}\n",
            "change and registered edit a stack",
        ),
    ],
)
def test_a_wrong_entry_is_refused(text: str, words: str) -> None:
    """The message has the file and the reason."""
    with pytest.raises(WrongEntry) as wrong:
        entry(text, "wrong", BROKEN)
    assert str(wrong.value).startswith("tests/corpus/broken/wrong.yaml: ")
    assert words in str(wrong.value)


@pytest.mark.parametrize("path", ["a.x", "a.b[7]", "a.b[0].c"])
def test_an_edit_that_would_change_nothing_is_refused(path: str) -> None:
    """Otherwise an entry could stay broken for another reason than it states."""
    with pytest.raises(LookupError):
        edited({"a": {"b": [1]}}, {path: None})


def test_a_finding_stands_at_a_key_or_at_a_resource() -> None:
    """No finding is about the description as a whole, except those about the account."""
    whole = {one.name: {rule for rule, place in one.found if not place} for one in entries()}
    assert {name: rules for name, rules in whole.items() if rules - OF_THE_ACCOUNT} == {}
