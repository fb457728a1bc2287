"""YAML for Kubernetes is read within bounds, and each fault has its place."""

import pytest

from muster.yaml_text import NotYaml, load_all

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdef", "bcdefg", strict=True)
)


def test_documents_with_aliases_and_merges() -> None:
    assert load_all("a: &a {b: 1}\nc: {<<: *a, d: 2}\n---\n[1]\n") == [{"a": {"b": 1}, "c": {"b": 1, "d": 2}}, [1]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "aliases"),
        (BOMB.replace("[", "{<<: [").replace("]", "]}").replace("{<<: [x", "{x: [x"), "aliases"),
        ("a: &a [*a]", "contains itself"),
        ("- " * 5000, "nested too deeply"),
        ("[" * 5000, "nested too deeply"),
        ("[" + "1," * 200_000 + "1]", "more than 100000 keys and values"),
        ("a: " + "9" * 10_000, "cannot be read as int"),
        ("a: !!set b", "cannot be read"),
        ("a: 2026-99-99", "cannot be read as timestamp"),
        ("a: 1\na: 2", "'a' twice"),
        ("a: \x07", "is not valid YAML"),
        ("a: [", "is not valid YAML"),
        ("a: !!python/object:os.system x", "cannot be read as python/object"),
    ],
)
def test_what_is_not_read(text: str, words: str) -> None:
    with pytest.raises(NotYaml) as fault:
        load_all(text)
    assert words in fault.value.problem


def test_a_function_is_no_key() -> None:
    with pytest.raises(NotYaml, match="cannot be read as !Ref"):
        load_all("Resources:\n  !Ref A : {}\n", template=True)
