"""Kubeconfigs: which file and which context, and every fault in words."""

import copy
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muster.verify.cluster_reader import NoAccess, load
from tests.verify.servers import a_kubeconfig


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def fault(given: Path | None, context: str | None = None, **environment: str) -> str:
    with pytest.raises(NoAccess) as raised:
        load(given, context, environment)
    return str(raised.value)


def test_the_file_is_the_one_given_else_the_environment_s_else_the_home_s(home: Path) -> None:
    """As kubectl has it. Several files are one: what is said first counts; a file of the list that is not there is no
    fault."""
    (home / ".kube").mkdir()
    a_kubeconfig(home / ".kube", "https://home")
    named = a_kubeconfig(home, "https://named", name="named")
    given = a_kubeconfig(home, "https://given", name="given")
    assert load(None, None, {}).server == "https://home"
    assert load(None, None, {"KUBECONFIG": str(named)}).server == "https://named"
    assert load(given, None, {"KUBECONFIG": str(named)}).server == "https://given"
    other = home / "other"
    other.write_text(named.read_text().replace('"here"', '"there"').replace('"c"', '"d"').replace("named", "other"))
    listed = {"KUBECONFIG": f"{home}/none:{named}:{other}:{given}"}
    assert load(None, None, listed).server == "https://named"
    assert load(None, "there", listed).server == "https://other"


def test_names_of_files_are_from_the_kubeconfig_s_folder(home: Path) -> None:
    """Not from where one stands."""
    (home / "ca.pem").write_text("")
    file = a_kubeconfig(home, "https://x", {"tokenFile": "token"}, **{"certificate-authority": "ca.pem"})
    config = load(file, None, {}).config
    assert config.abs_file("ca.pem") == home / "ca.pem"
    assert config.user is not None
    assert config.user.token_file == str(home / "token")


def test_no_file_and_no_context(home: Path) -> None:
    """Says where it was sought, the nearest name, and those there are."""
    assert f"{home}/.kube/config" in fault(None)
    for file in (home / "none", home):
        assert str(file) in fault(file)
    assert "/none/a, /none/b" in fault(None, KUBECONFIG="/none/a:/none/b")
    file = a_kubeconfig(home, "https://x")
    assert "did you mean 'here'?" in fault(file, "heer")
    assert "(contexts: here)" in fault(file, "")


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
NONE = ["a: b: c", "[1]", "", "{}", "{contexts: [1]}", "{clusters: [{name: c, cluster: x}]}", "\x00"]


@pytest.mark.parametrize("text", [*SECRETS, *NONE])
def test_a_broken_kubeconfig_is_named_and_not_printed(home: Path, text: str) -> None:
    """It says what and where, and no word of the file: tokens are among them."""
    file = home / "config"
    file.write_text(text)
    said = fault(file)
    assert "HUSH" not in said
    assert str(file) in said


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
    user = config.config.user
    assert user is None or user.exec is None or isinstance(user.exec.command, str)


@pytest.mark.parametrize(
    "parts",
    [
        {"clusters": []},
        {"users": [{"name": "uu", "user": {}}]},
        {"clusters": [{"name": "c", "cluster": {}}]},
        {"clusters": [{"name": "c", "cluster": {"server": "ftp://x"}}]},
        {"users": [{"name": "u", "user": {"as": "admin"}}]},
        {"users": [{"name": "u", "user": {"token": 5}}]},
        {"clusters": [{"name": "c", "cluster": {"server": "https://x", "tls-server-name": "y"}}]},
        {"clusters": [{"name": "c", "cluster": {"server": "https://x", "insecure-skip-tls-verify": "maybe"}}]},
    ],
)
def test_what_a_context_lacks(home: Path, parts: dict[str, Any]) -> None:
    """Or has that we do not do, is said: nothing is left out silently."""
    file = a_kubeconfig(home, "https://x")
    file.write_text(json.dumps({**json.loads(file.read_text()), **parts}))
    assert "context 'here'" in fault(file)
