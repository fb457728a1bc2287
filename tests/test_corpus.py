"""The corpus: of every broken cluster exactly what it says, at its place, once; of every sound one nothing."""

import re
from datetime import date

import pytest

from muster.finding import Finding
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.rule_index import sheet_of
from muster.stack.project import stacks
from tests.corpus import BROKEN, SOUND, Entry, WrongEntry, edited, entries, entry, entry_of, names
from tests.corpus.judged import by_description, by_plan, by_program, read_entry
from tests.corpus.planned import changes, written
from tests.stack_files import ROOT, UNSTATED, text_of

BACKEND = re.compile(r"^ +backend: ([\w-]+)", re.MULTILINE)

UNFOUND = {
    "plugin-stays-with-its-devices": "needs the whole affinity of a chart of one's own",
}
"""Rule -> why no entry finds it."""


TWICE = {
    "hyperpod-addon-without-what-it-needs": "needs cert-manager and the agent of pod identity",
    "pair-no-plugins": "lacks two plugins",
}
"""Entry -> why one rule says two things at one place."""

OF_THE_ACCOUNT = {"identity-may-deploy"}
"""Rules about who asks, and about the Region, which is outside of the description."""

STALE = {
    ("kubernetes-standard-support", "kubernetes"): (
        date(2027, 6, 1),
        {
            *("g4dn", "g4dn-vpc", "hyperpod-existing-eks", "hyperpod-p5"),
            *("hyperpod-teams", "hyperpod-training-plan", "hyperpod-trn1"),
            *(
                "p4de-odcr",
                "p4de-odcr-vpc",
                "p5-capacity-block",
                "p5-capacity-block-self-managed",
                "p5-efa",
                "p5-join-existing",
            ),
            *("p5-dra", "p5-karpenter", "g5-auto-mode", "p5-odcr", "p6-b300", "p6e-gb200", "hyperpod-p6e-gb200"),
            *("trn1", "trn2-ultraserver"),
        },
    ),
    ("capacity-block-begun", "groups.workers.capacity.capacity-block.active"): (
        date(2026, 12, 20),
        {"p5-capacity-block", "p5-capacity-block-self-managed", "trn2-ultraserver"},
    ),
    **{
        ("capacity-block-begun", f"groups.ultraserver-{number}.capacity.capacity-block.active"): (
            date(2026, 12, 20),
            {"p6e-gb200"},
        )
        for number in (1, 2)
    },
    ("training-plan-usable", "groups.workers.capacity.training-plan.arn"): (
        date(2027, 6, 1),
        {"hyperpod-training-plan", "hyperpod-p6e-gb200", "hyperpod-slurm-p5"},
    ),
}
"""(rule, place) -> since which of the entries' days it is found in stacks that nobody keeps up, and in which."""


def backend_of(one: Entry) -> str:
    """The backend of an entry; of a program without a stack, EKS's unless it makes a HyperPod cluster."""
    if one.stack:
        found = BACKEND.search(text_of(one.stack))
        assert found is not None, one.stack
        return found[1]
    return "hyperpod" if any("sagemaker:Cluster" in key for key in one.resources) else "eks"


@pytest.mark.parametrize("name", names(BROKEN))
def test_a_broken_entry_says_just_that(name: str) -> None:
    """Every fault once, at its place, and nothing else; what cannot be judged is said, too. What the program registers
    of a broken description is judged as the description is."""
    one = entry_of(BROKEN, name)
    said = read_entry(one)
    if one.refused:
        assert said.found == {(each.at, each.says) for each in one.refused}
        return
    assert said.found == one.found
    assert said.unjudged == one.unjudged
    assert len(said.findings) == len(said.found) + (one.name in TWICE), "one place, one rule, one finding"
    for finding in said.findings:
        assert_whole(finding)
    if one.by_description:
        planned, differences = by_plan(one)
        assert differences == ()
        assert planned.found == one.found
    assert_ids_change_nothing(one)


def assert_whole(finding: Finding) -> None:
    """On one line, without a value as Python has it, and with an action that is not the general advice again."""
    for text in (finding.got, finding.remedy):
        assert text.strip() == text
        assert text[-1] not in ".,;:"
        assert not re.search(r"None|UNKNOWN|Ref\(|frozenset|\[\]|\(\)|  |\n", text), text
    assert finding.remedy not in (finding.got, sheet_of(finding.rule).remedy)


@pytest.mark.parametrize("name", names(SOUND))
def test_a_sound_entry_says_nothing(name: str) -> None:
    """Unusual is not wrong, whoever registers it; and it changes in its stack's plan just what its golden has."""
    one = entry_of(SOUND, name)
    said = read_entry(one)
    assert said.found == frozenset()
    assert said.unjudged == one.unjudged
    if one.by_description:
        planned, differences = by_plan(one)
        assert differences == ()
        assert planned.found == frozenset()
    assert_ids_change_nothing(one)
    if one.stack:
        assert changes(one) == written(one), "run `make goldens`, read the difference, commit it with the reason"


def assert_ids_change_nothing(one: Entry) -> None:
    """What is found before ids are known is found when they are, and the other way round. Otherwise a gate that closes
    in a preview would open on `up`. (In the engine: tests/pulumi_engine/test_corpus.py.)"""
    assert by_program(one, preview=True).found == by_program(one).found


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_where_entries_start_nothing_is_wrong(stack: str) -> None:
    """An entry is broken by what it changes alone: on the others' days, too, but for what goes stale by then."""
    plain = Entry.model_validate({"name": stack, "kind": SOUND, "says": "the stack itself", "stack": stack})
    for day in sorted({one.as_of for one in entries()}):
        said = by_description(plain.model_copy(update={"as_of": day}))
        stale = {found for found, (since, stacks) in STALE.items() if day >= since and stack in stacks}
        assert (day, said.found, said.unjudged) == (day, stale, UNSTATED.get(stack, frozenset()))


def test_the_corpus_is_large_enough() -> None:
    """120 broken ones, 40 sound ones, 10 pairs of faults."""
    assert len(entries(BROKEN)) >= 120
    assert len(entries(SOUND)) >= 40
    assert sum(len(one.found) + len(one.refused) == 2 for one in entries(BROKEN) if one.name.startswith("pair")) >= 10


def test_names_are_unique() -> None:
    """A name says which entry is meant, whichever folder it stands in."""
    names = [one.name for one in entries()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_every_backend_has_both() -> None:
    """No backend is left to the others' entries."""
    for kind in (BROKEN, SOUND):
        backends = {"eks", "hyperpod", "hyperpod-slurm", "parallelcluster", "pcs"}
        assert {backend_of(one) for one in entries(kind)} == backends


def test_entries_name_facts_of_their_rules() -> None:
    """Of a broken one facts that a rule it finds stands for."""
    for one in entries(BROKEN):
        if one.finds:
            assert set(one.facts) <= {fact for rule in one.finds for fact in sheet_of(rule).facts}, one.name


def test_every_rule_is_found_somewhere() -> None:
    """A rule that no entry finds is one that nobody has seen refuse a cluster."""
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
    """In words, with its file; never read as something else than was meant."""
    with pytest.raises(WrongEntry) as wrong:
        entry(text, "wrong", BROKEN)
    assert str(wrong.value).startswith("tests/corpus/broken/wrong.yaml: ")
    assert words in str(wrong.value)


def test_a_sound_entry_finds_nothing() -> None:
    """What is found in it makes it a broken one."""
    with pytest.raises(WrongEntry, match="a sound one finds nothing"):
        entry("says: all is well here\nstack: p5-odcr\nchange: {a: 1}\nfinds: {a-rule: [groups]}\n", "wrong", SOUND)


def test_edits_reach_keys_and_items() -> None:
    """Dotted paths and indices; null takes out; an item behind the last is added."""
    document = {"a": {"b": [1, {"c": 2}]}}
    assert edited(document, {"a.b[1].c": 3, "a.d.e": 4}) == {"a": {"b": [1, {"c": 3}], "d": {"e": 4}}}
    assert edited(document, {"a.b[0]": None, "a.b[1]": 5}) == {"a": {"b": [{"c": 2}, 5]}}
    assert document == {"a": {"b": [1, {"c": 2}]}}


@pytest.mark.parametrize("path", ["a.x", "a.b[7]", "a.b[0].c"])
def test_an_edit_that_would_change_nothing_is_refused(path: str) -> None:
    """Else an entry would go on being broken by something else than it says."""
    with pytest.raises(LookupError):
        edited({"a": {"b": [1]}}, {path: None})


def test_a_finding_stands_at_a_key_or_at_a_resource() -> None:
    """Not at the description as a whole: whoever mends it looks there. But what is said of who asks has no key."""
    whole = {one.name: {rule for rule, place in one.found if not place} for one in entries()}
    assert {name: rules for name, rules in whole.items() if rules - OF_THE_ACCOUNT} == {}
