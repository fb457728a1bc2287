"""Documents: plain values, the place of each, and all faults of the text."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from muster import yaml_text
from muster.config.document import Document, parse, read
from muster.position import Position
from tests.damage import places

FILE = Path("stacks/Pulumi.test.yaml")

TEXT = """\
config:
  aws:region: us-west-2
  muster:cluster:
    kubernetes: "1.35"
    groups:
      workers:
        instance: p5.48xlarge # a comment
        nodes: {min: 1, start: 1, max: 2}
        capacity:
          reservation: {id: cr-1, zone: us-west-2a}
    access:
      - principal: one
      - principal: two
"""
CLUSTER = ("config", "muster:cluster")


def faults(text: str) -> list[tuple[str, int, int, str]]:
    """(place, line, column, what is said) of every fault."""
    found = parse(text, FILE).faults
    return [(finding.where, at.line, at.column, finding.got) for _, at, finding in found]


@pytest.fixture
def document() -> Document:
    return parse(TEXT, FILE)


def test_values_are_plain(document: Document) -> None:
    cluster = document.data["config"]["muster:cluster"]
    assert cluster["kubernetes"] == "1.35"
    assert cluster["groups"]["workers"]["nodes"] == {"min": 1, "start": 1, "max": 2}
    assert cluster["access"] == [{"principal": "one"}, {"principal": "two"}]
    assert document.faults == ()


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 1, 1),
        ((*CLUSTER, "kubernetes"), 4, 17),
        ((*CLUSTER, "groups", "workers", "instance"), 7, 19),
        ((*CLUSTER, "groups", "workers", "nodes", "max"), 8, 40),
        ((*CLUSTER, "groups", "workers", "capacity", "reservation", "zone"), 10, 41),
        ((*CLUSTER, "access", 1, "principal"), 13, 20),
    ],
)
def test_every_value_has_its_place(document: Document, path: tuple[str | int, ...], line: int, column: int) -> None:
    assert document.position(path) == Position(line, column)


def test_every_key_has_its_place(document: Document) -> None:
    assert document.position((*CLUSTER, "groups", "workers", "instance"), key=True) == Position(7, 9)


def test_what_is_not_there_is_placed_at_the_nearest_key_around_it(document: Document) -> None:
    assert document.position((*CLUSTER, "groups", "workers", "zone")) == Position(6, 7)
    assert document.position((*CLUSTER, "groups", "nobody", "zone")) == Position(5, 5)
    assert document.position(("nothing", "of", "this")) == Position(1, 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", ("a", 3, 1)),
        ("base: &base {a: 1}\nmore: {<<: *base, b: 2}\n", ("more", 2, 8)),
        ("a: &a [*a]\n", ("", 1, 8)),
        ("a: *a\n", ("", 1, 4)),
        ("a: 1\n---\nb: 2\n", ("", 3, 1)),
        ("? [a, b]\n: 1\n", ("", 1, 3)),
        # The engine would make it `2026-11-21 00:00:00 +0000 UTC`, and write that into the file.
        ("a: 2026-11-21\n", ("a", 1, 4)),
        ("a: 2026-11-21T09:00:00Z\n", ("a", 1, 4)),
        # Broken syntax is one fault, with its line.
        ("a: [1, 2\nb: 3\n", ("", 1, 4)),
        ("a: b: c\n", ("", 1, 5)),
        ("\tkey: 1\n", ("", 1, 1)),
        ("a: 'b\nc: 1\n", ("", 1, 4)),
        ("a: \x07\n", ("", 1, 4)),
        ("a: 1\nb 2\nc: 3\n", ("", 2, 1)),
    ],
)
def test_a_fault_has_its_place(text: str, fault: tuple[str, int, int]) -> None:
    assert [each[:3] for each in faults(text)] == [fault]


def test_keys_three_times_are_two_faults_and_the_first_value_stands() -> None:
    text = "a: {b: 1, b: 2, b: 3}\n"
    assert [where for where, *_ in faults(text)] == ["a.b", "a.b"]
    assert parse(text, FILE).data == {"a": {"b": 1}}


def test_aliases_are_followed() -> None:
    assert parse("one: &one [1, 2]\nother: *one\n", FILE).data == {"one": [1, 2], "other": [1, 2]}


def test_aliases_of_aliases_end() -> None:
    """Written out they would be more than any description has: 20000 keys and values are read, and not one more."""

    def text(more: int) -> str:
        """The whole, a list of 199 numbers and one of 98 such lists; a list of as many more."""
        row, rows, last = "1, " * 199, "*row, " * 98, "1, " * more
        return f"row: &row [{row}]\nrows: [{rows}]\nmore: [{last}]\n"

    of_these = 1 + 3 + 200 + (1 + 98 * 200) + 1
    taken = parse(text(20_000 - of_these), FILE)
    assert (len(taken.data["rows"]), taken.faults) == (98, ())
    ((_, _, _, words),) = faults(text(20_001 - of_these))
    assert "aliases" in words


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ('"1.35"', "1.35"),
        ("10", 10),
        ("~", None),
        ("null", None),
        ('"2026-11-21"', "2026-11-21"),
    ],
)
def test_scalars_are_yaml_1_2(text: str, value: Any) -> None:
    """Norway is a country."""
    read_back = parse(f"key: {text}\n", FILE).data["key"]
    assert (read_back, type(read_back)) == (value, type(value))


@pytest.mark.parametrize("text", ["010", "0o10", "0x1F", "1_000", "4e0", "1e3", ".5", "7."])
def test_a_number_that_other_readers_take_for_another_is_refused(text: str) -> None:
    """`nodes: 010` is 10 by YAML 1.2 and 8 to the engine."""
    found = faults(f"a: {text}\n")
    assert found in ([("a", 1, 4, f"{text} is read in two ways")], [])
    assert found or isinstance(parse(f"a: {text}\n", FILE).data["a"], str)


def test_a_number_remembers_how_it_was_written() -> None:
    written = parse("a: 1.30\n", FILE).data["a"]
    assert (written, written.text) == (1.3, "1.30")


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n", "---\n"])
def test_an_empty_document_has_no_data_and_no_faults(text: str) -> None:
    document = parse(text, FILE)
    assert (document.data, document.faults) == (None, ())


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1,\n  "b": {"c": 2\n\n', 2, 15),
        ('\n{"a": [1\n "b": 2]}\n', 3, 2),
        ('{"a": "b', 1, 7),
    ],
)
def test_broken_json_is_told_as_json(text: str, line: int, column: int) -> None:
    """Where the text ends where it ends too early; the same text in a YAML file is YAML's."""
    (fault,) = parse(text, Path("facts.json")).faults
    assert fault[1] == Position(line, column)
    assert "JSON" in fault[2].got
    (fault,) = parse(text, Path("facts.yaml")).faults
    assert "YAML" in fault[2].got


def test_a_file_that_cannot_be_read_is_one_fault(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("a: ü\n".encode("latin-1"))
    for file in (tmp_path / "missing.yaml", tmp_path, tmp_path / "latin.yaml"):
        document = read(file)
        assert (document.data, len(document.faults)) == (None, 1)


words = st.text("abcdefgh-", min_size=1, max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(words, below, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(words, plain, min_size=1, max_size=4), st.sampled_from([None, 1, 2]))
def test_json_is_read_as_json_has_it_each_value_with_its_place(data: dict[str, Any], indent: int | None) -> None:
    document = parse(json.dumps(data, indent=indent), FILE)
    assert (document.data, document.faults) == (data, ())
    found = [document.position(path) for path in places(data)]
    assert len(set(found)) == len(found), "no two values begin at one place"


def test_a_name_given_anew_is_no_matter(recwarn: pytest.WarningsRecorder) -> None:
    """An alias stands for the last value of that name before it; no library's warning reaches whoever runs us."""
    assert parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", FILE).data == {"a": 1, "b": 1, "c": 2, "d": 2}
    assert not recwarn.list


STACKS = sorted(Path("stacks").glob("Pulumi.*.yaml"))


def test_yaml_is_read_alike_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody has libyaml: the same values, each at the same place."""
    texts = [TEXT, *(file.read_text(encoding="utf-8") for file in STACKS)]
    fast = [_read(text) for text in texts]
    monkeypatch.setattr(yaml_text, "_PARSER", yaml.SafeLoader)
    assert [_read(text) for text in texts] == fast


def _read(text: str) -> tuple[Any, list[tuple[tuple[str | int, ...], Position]]]:
    document = parse(text, FILE)
    return document.data, [(path, document.position(path)) for path in places(document.data)]


def test_what_a_merge_key_brings_is_there_and_an_own_key_counts_before_it() -> None:
    """Else whatever it brings would be told as missing, beside the merge key itself."""
    text = "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nall: {<<: [*one, *two], a: 3}\n"
    assert parse(text, FILE).data["all"] == {"a": 3, "b": 1, "c": 2}


@pytest.mark.parametrize(
    "text",
    [
        *("9" * 10_000, "!!int a", "!!bool maybe", "!!float x"),
        *("!!set {a}", "!x [b]", "!x b", "!!python/object:os.system x"),
    ],
)
def test_a_value_that_cannot_be_read_is_one_fault(text: str) -> None:
    assert [at for at, *_ in faults(f"a: {text}\n")] == ["a"]


def test_json_escapes_of_characters_beyond_the_first_plane_are_one_character() -> None:
    """YAML has no pairs of surrogates; a backslash before it is no escape."""
    data = {"a": "\U0001f600\U0001f600", "b": "\\ud83d\\ude00"}
    assert parse(json.dumps(data), Path("facts.json")).data == data
