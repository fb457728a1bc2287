"""Kubeconfigs: which file and which context, and every fault in words."""

import copy
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muster.extras.verify.kubeconfig import NoAccess, load
from tests.live.servers import a_kubeconfig


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def fault(given: Path | None, context: str | None = None, **environment: str) -> str:
    with pytest.raises(NoAccess) as raised:
        load(given, context, environment)
    return str(raised.value)


def test_the_file_is_the_one_given_else_the_environment_s_else_the_home_s(home: Path) -> None:
    """As kubectl has it."""
    (home / ".kube").mkdir()
    a_kubeconfig(home / ".kube", "https://home")
    named = a_kubeconfig(home, "https://named", name="named")
    given = a_kubeconfig(home, "https://given", name="given")
    assert load(None, None, {}).server == "https://home"
    assert load(None, None, {"KUBECONFIG": str(named)}).server == "https://named"
    assert load(given, None, {"KUBECONFIG": str(named)}).server == "https://given"


def test_several_files_are_one(home: Path) -> None:
    """What is said first counts; a file of the list that is not there is no fault."""
    one, two = a_kubeconfig(home, "https://one", name="one"), home / "two"
    document = json.loads(
        one.read_text().replace('"here"', '"there"').replace('"c"', '"d"').replace("https://one", "https://two")
    )
    two.write_text(json.dumps(document))
    three = a_kubeconfig(home, "https://three", name="three")
    listed = {"KUBECONFIG": f"{home}/none:{one}:{two}:{three}"}
    assert load(None, None, listed).server == "https://one"
    assert load(None, "there", listed).server == "https://two"


def test_names_of_files_are_from_the_kubeconfig_s_folder(home: Path) -> None:
    """Not from where one stands."""
    (home / "ca.pem").write_text("")
    file = a_kubeconfig(home, "https://x", **{"certificate-authority": "ca.pem"})
    assert load(file, None, {}).cluster["certificate-authority"] == str(home / "ca.pem")


def test_no_file(home: Path) -> None:
    """Says where it was sought, and what writes one."""
    assert re.fullmatch(
        rf"no kubeconfig: give --kubeconfig FILE or set KUBECONFIG; there is no {home}/\.kube/config; write .*",
        fault(None),
    )
    assert fault(home / "none") == f"no kubeconfig {home}/none: the file does not exist"
    assert fault(home) == f"no kubeconfig {home}: it is a folder"
    assert fault(None, KUBECONFIG="/none/a:/none/b").startswith(
        "no kubeconfig: $KUBECONFIG is /none/a, /none/b, which do not exist; "
    )


def test_no_context(home: Path) -> None:
    """Names the nearest, and those there are."""
    file = a_kubeconfig(home, "https://x")
    assert fault(file, "heer") == f"no context 'heer' in {file}; did you mean 'here'? (contexts: here)"
    assert fault(file, "") == f"{file} has no current context; choose one with --context (contexts: here)"


def broken(home: Path, **parts: Any) -> Path:
    file = a_kubeconfig(home, "https://x")
    file.write_text(json.dumps({**json.loads(file.read_text()), **parts}))
    return file


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: b: c", "is not YAML: mapping values are not allowed in this context"),
        ("[1]", "is not a kubeconfig: it has no clusters, contexts and users;"),
        ("", "is not a kubeconfig: it has no clusters, contexts and users;"),
        ("{}", "is not a kubeconfig: it has no context;"),
        ("{contexts: [1]}", "is not a kubeconfig: contexts is not a list of names, each with context:"),
        (
            "{clusters: [{name: c, cluster: x}]}",
            "is not a kubeconfig: clusters is not a list of names, each with cluster:",
        ),
    ],
)
def test_what_is_no_kubeconfig(home: Path, text: str, said: str) -> None:
    """Is said, with the file."""
    file = home / "config"
    file.write_text(text)
    assert said in fault(file)
    assert str(file) in fault(file)


SECRETS = [
    "users: [{name: u, user: {token: HUSH: x}}]",
    "users:\n- name: u\n  user: {token: 'HUSH}",
    "users:\n- name: u\n  user:\n    token: HUSH\n   client: x",
    "token: *HUSH",
    "token: !HUSH x",
    "token: !HUSH!x y",
    "a: &HUSH x\nb: &HUSH",
    'token: "HUSH\\q"',
    "token: HUSH\n\tx: y",
    "? [HUSH]\n: HUSH",
    "token: @HUSH",
    "%HUSH x\n---\n- HUSH\nHUSH",
    "HUSH: 2026-99-99",
    "token: HUSH\x07",
    "[" * 2000 + "HUSH",
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_broken_kubeconfig_is_not_printed(home: Path, text: str) -> None:
    """It says what and where, and no word of the file: tokens are among them."""
    file = home / "config"
    file.write_text(text)
    assert "HUSH" not in fault(file)


def test_a_broken_kubeconfig_says_where(home: Path) -> None:
    """By line and column, from 1."""
    file = home / "config"
    file.write_text("a: b\nc: d: e")
    assert (
        fault(file)
        == f"kubeconfig {file} is not YAML: mapping values are not allowed in this context (line 2, column 5)"
    )


GOOD: dict[str, Any] = {
    "apiVersion": "v1",
    "current-context": "here",
    "clusters": [{"name": "c", "cluster": {"server": "https://x", "certificate-authority-data": "YQ=="}}],
    "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
    "users": [
        {
            "name": "u",
            "user": {
                "client-certificate-data": "YQ==",
                "exec": {
                    "apiVersion": "client.authentication.k8s.io/v1",
                    "command": "aws",
                    "args": ["eks"],
                    "env": [{"name": "AWS_PROFILE", "value": "mine"}],
                },
            },
        }
    ],
}
PLACES: list[tuple[Any, ...]] = [()]
for _place in PLACES:  # grows while it is walked
    _value: Any = GOOD
    for _step in _place:
        _value = _value[_step]
    PLACES += [
        (*_place, each)
        for each in (_value if isinstance(_value, dict) else range(len(_value)) if isinstance(_value, list) else ())
    ]


def replaced(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The document with another value in one place."""
    if not place:
        return value
    made = copy.copy(document)
    made[place[0]] = replaced(document[place[0]], place[1:], value)
    return made


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["c", "u", "here"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


@settings(max_examples=40)
@given(st.sampled_from(PLACES), ANY)
@example(("clusters",), 5)
@example(("users", 0, "user", "exec"), "aws")
@example(("contexts", 0, "context", "user"), [1])
@example(("users", 0, "user", "exec", "env", 0), {"name": "AWS_PROFILE"})
@example(("users", 0, "user", "client-certificate-data"), 5)
def test_any_value_in_one_place_is_read_or_told(place: tuple[Any, ...], value: Any) -> None:
    """A kubeconfig is its user's: nothing in it is our bug. What is read has the form that is used."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "config")
        file.write_text(json.dumps(replaced(GOOD, place, value)))
        try:
            config = load(file, None, {})
        except NoAccess:
            return
    assert isinstance(config.server, str)
    program = config.program
    assert all(isinstance(program.get(each, ""), str | None) for each in ("apiVersion", "command", "installHint"))
    assert all(isinstance(each, str) for each in program.get("args") or ())
    assert all(isinstance(each["name"], str) and isinstance(each["value"], str) for each in program.get("env") or ())


def test_bytes_are_no_kubeconfig(home: Path) -> None:
    """Nor a crash."""
    (home / "config").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8" in fault(home / "config")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"clusters": []}, "has the cluster 'c', which does not exist"),
        ({"users": [{"name": "uu", "user": {}}]}, "has the user 'u', which does not exist"),
        ({"clusters": [{"name": "c", "cluster": {}}]}, "has no server; add its address, such as https://HOST"),
        ({"clusters": [{"name": "c", "cluster": {"server": "ftp://x"}}]}, "has no server"),
        (
            {"users": [{"name": "u", "user": {"as": "admin"}}]},
            "impersonates another user (as), which Muster does not support; choose another context",
        ),
        (
            {"clusters": [{"name": "c", "cluster": {"server": "https://x", "tls-server-name": "y"}}]},
            "checks the server's certificate against another name (tls-server-name), which Muster does not support",
        ),
        (
            {"clusters": [{"name": "c", "cluster": {"server": "https://x", "certificate-authority": "ca.pem"}}]},
            "the kubeconfig refers to {home}/ca.pem (certificate-authority), which does not exist",
        ),
        (
            {"users": [{"name": "u", "user": {"client-certificate-data": "%%"}}]},
            "the kubeconfig's client-certificate-data is not base64",
        ),
    ],
)
def test_what_a_context_lacks(home: Path, parts: dict[str, Any], said: str) -> None:
    """Or has that we do not do, is said: nothing is left out silently."""
    assert said.format(home=home) in fault(broken(home, **parts))
