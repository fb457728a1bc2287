"""`muster kubeconfig`: what Pulumi says, told to people; the secret goes where it was asked to go, and nowhere else."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Muster

KUBECONFIG = json.dumps({"apiVersion": "v1", "kind": "Config", "users": [{"name": "p5-odcr"}]})

FAKE = """#!{python}
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
(here / "asked.json").write_text(json.dumps({{"arguments": sys.argv[1:], "folder": os.getcwd()}}))
answer = json.loads((here / "answer.json").read_text())
assert not sys.stdin.read()
sys.stdout.write(answer["out"])
sys.stderr.write(answer["err"])
sys.exit(answer["code"])
"""


class FakePulumi:
    """A `pulumi` on PATH that answers what a test has it answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        program = folder / "pulumi"
        program.write_text(FAKE.format(python=sys.executable))
        program.chmod(0o755)
        self.answers()

    def answers(self, out: str = f"{KUBECONFIG}\n", err: str = "", code: int = 0) -> None:
        (self.folder / "answer.json").write_text(json.dumps({"out": out, "err": err, "code": code}))

    @property
    def asked(self) -> Any:
        return json.loads((self.folder / "asked.json").read_text())


@pytest.fixture
def pulumi(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> FakePulumi:
    fake = FakePulumi(tmp_path_factory.mktemp("path") / "bin")
    monkeypatch.setenv("PATH", str(fake.folder), prepend=os.pathsep)
    return fake


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_it_prints_what_pulumi_keeps(muster: Muster, pulumi: FakePulumi, flags: tuple[str, ...]) -> None:
    ran = muster("kubeconfig", "p5-odcr", *flags)
    assert (ran.code, ran.out, ran.err) == (0, f"{KUBECONFIG}\n", "")
    asked = " ".join(pulumi.asked["arguments"])
    assert asked == "stack output kubeconfig --show-secrets --non-interactive --stack p5-odcr"
    assert pulumi.asked["folder"] == str(muster.folder)


@pytest.mark.parametrize(
    ("stack", "asked"),
    [
        ("stacks/Pulumi.p5-odcr.yaml", "p5-odcr"),
        ("dev", "dev"),
        ("acme/dev", "acme/dev"),
        ("acme/muster/dev", "acme/muster/dev"),
    ],
)
def test_a_stack_is_named_as_elsewhere_and_as_pulumi_names_it(
    muster: Muster, pulumi: FakePulumi, stack: str, asked: str
) -> None:
    assert muster("kubeconfig", stack).code == 0
    assert pulumi.asked["arguments"][-1] == asked


def test_a_full_name_needs_no_project(
    muster: Muster, pulumi: FakePulumi, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    assert muster("kubeconfig", "acme/muster/p5-odcr").out == f"{KUBECONFIG}\n"
    assert pulumi.asked["folder"] == str(elsewhere)
    ran = muster("kubeconfig", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: there is no Pulumi.yaml with a stacks/ folder in {elsewhere} or above; change to a project, or create "
        "one with `muster new DIRECTORY`, or give the stack's full name: ORGANIZATION/muster/p5-odcr\n"
    )


LOGIN = "error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions"
NO_STACK = "error: no stack named 'p5-ocdr' found"
NO_OUTPUT = "error: current stack does not have output property 'kubeconfig'"
NO_PASSPHRASE = (
    'error: constructing secrets manager of type "passphrase": unable to find either `PULUMI_CONFIG_PASSPHRASE` or '
    "`PULUMI_CONFIG_PASSPHRASE_FILE` when trying to access the Passphrase Secrets Provider; passphrase must be set "
    "with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables"
)
WRONG_PASSPHRASE = "error: failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE"
UNREACHABLE = (
    "Logging in using access token from PULUMI_ACCESS_TOKEN\n"
    'error: performing HTTP request: Get "https://api.example.com/api/user": dial tcp: \x1b[31mconnection refused\n'
)
ASKS_PULUMI = " (`pulumi stack ls --all` lists its stacks, `pulumi whoami --verbose` prints its address)\n"


@pytest.mark.parametrize(
    ("stack", "code", "said", "told"),
    [
        *(
            (
                "p5-odcr",
                code,
                LOGIN,
                "Pulumi is not logged in; run `pulumi login` with the Pulumi backend that has the stack\n",
            )
            for code in (3, 255)
        ),
        *(
            (
                "p5-ocdr",
                code,
                NO_STACK,
                "the Pulumi backend that you are logged in to has no stack 'p5-ocdr'; did you mean 'p5-odcr'?"
                + ASKS_PULUMI,
            )
            for code in (6, 255)
        ),
        (
            "p5-odcr",
            6,
            NO_STACK.replace("ocdr", "odcr"),
            "the Pulumi backend that you are logged in to has no stack 'p5-odcr'" + ASKS_PULUMI,
        ),
        (
            "p5-odcr",
            1,
            NO_OUTPUT,
            (
                "stack 'p5-odcr' has no kubeconfig: it is not deployed; run `pulumi up --stack p5-odcr` (if it uses "
                "Slurm, `pulumi stack output headNode --stack p5-odcr` prints the head node's address)\n"
            ),
        ),
        (
            "p5-odcr",
            1,
            NO_PASSPHRASE,
            (
                "a passphrase protects the secrets of stack 'p5-odcr'; set PULUMI_CONFIG_PASSPHRASE or "
                "PULUMI_CONFIG_PASSPHRASE_FILE\n"
            ),
        ),
        (
            "p5-odcr",
            1,
            WRONG_PASSPHRASE,
            "the passphrase of stack 'p5-odcr' is wrong; set PULUMI_CONFIG_PASSPHRASE to the correct one\n",
        ),
        (
            "p5-odcr",
            1,
            UNREACHABLE,
            (
                "Pulumi could not read stack 'p5-odcr' (its exit code: 1):\n"
                "  Logging in using access token from PULUMI_ACCESS_TOKEN\n"
                '  error: performing HTTP request: Get "https://api.example.com/api/user": dial tcp: '
                "\\x1b[31mconnection refused\n"
            ),
        ),
    ],
    ids=lambda value: str(value)[:30].encode("unicode_escape").decode(),
)
def test_why_there_is_none(
    muster: Muster, pulumi: FakePulumi, stack: str, code: int, said: str, told: str, tmp_path: Path
) -> None:
    pulumi.answers(out="", err=said, code=code)
    for more in ((), ("--output", str(tmp_path / "kubeconfig"))):
        ran = muster("kubeconfig", stack, *more)
        assert (ran.code, ran.out, ran.err) == (2, "", f"error: {told}")
    assert not (tmp_path / "kubeconfig").exists()


@pytest.mark.parametrize("out", ["[secret]\n", "", "{}\n", '"x"\n', "apiVersion: v1\n"])
def test_what_is_no_kubeconfig_is_not_printed(muster: Muster, pulumi: FakePulumi, out: str) -> None:
    pulumi.answers(out=out)
    ran = muster("kubeconfig", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "error: the output 'kubeconfig' of stack 'p5-odcr' is not a kubeconfig: this is not a stack of Muster\n"
    )


def test_without_pulumi(muster: Muster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = muster("kubeconfig", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "error: the Pulumi CLI ('pulumi') is not on PATH; install it (https://www.pulumi.com/docs/install/), then run "
        "`pulumi login`\n"
    )


def test_a_pulumi_that_cannot_be_run(muster: Muster, pulumi: FakePulumi) -> None:
    (pulumi.folder / "pulumi").write_text("#!/nowhere/at/all\n")
    ran = muster("kubeconfig", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be run: No such file or directory; reinstall the Pulumi CLI" in ran.err


def test_a_file_is_for_its_owner_only_and_is_not_overwritten(
    muster: Muster, pulumi: FakePulumi, tmp_path: Path
) -> None:
    file = tmp_path / "kubeconfig"
    before = os.umask(0)
    try:
        ran = muster("kubeconfig", "p5-odcr", "--output", str(file))
    finally:
        os.umask(before)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (file.read_text(), file.stat().st_mode & 0o777) == (f"{KUBECONFIG}\n", 0o600)

    file.write_text("mine")
    file.chmod(0o644)
    (pulumi.folder / "asked.json").unlink()
    ran = muster("kubeconfig", "p5-odcr", "--output", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"error: '{file}' exists; overwrite it with --force, or give another file\n"
    assert file.read_text() == "mine"
    assert not (pulumi.folder / "asked.json").exists()

    assert muster("kubeconfig", "p5-odcr", "--output", str(file), "--force").code == 0
    assert (file.read_text(), file.stat().st_mode & 0o777) == (f"{KUBECONFIG}\n", 0o600)
    assert [each.name for each in tmp_path.iterdir() if "kubeconfig" in each.name] == ["kubeconfig"]


def test_a_link_is_not_written_through(muster: Muster, pulumi: FakePulumi, tmp_path: Path) -> None:
    link, aim = tmp_path / "link", tmp_path / "aim"
    link.symlink_to(aim)
    assert muster("kubeconfig", "p5-odcr", "--output", str(link)).code == 2
    assert muster("kubeconfig", "p5-odcr", "--output", str(link), "--force").code == 0
    assert not aim.exists()
    assert not link.is_symlink()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_file_that_cannot_be_written(
    muster: Muster, pulumi: FakePulumi, tmp_path: Path, force: tuple[str, ...]
) -> None:
    ran = muster("kubeconfig", "p5-odcr", "--output", str(tmp_path / "no" / "such"), *force)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: cannot write '{tmp_path}/no/such': No such file or directory; give a file in a folder that you "
        "can write to\n"
    )
    ran = muster("kubeconfig", "p5-odcr", "--output", str(tmp_path), *force)
    assert (ran.code, ran.err) == (2, f"error: '{tmp_path}' is a folder; give a file\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "needs a stack"),
        (("",), "'' is not the name of a stack"),
        (("a\0b",), "'a\\x00b' is not the name of a stack"),
        (("p5-odcr", "--force"), "--force needs --output; give --output FILE, or leave out --force"),
    ],
    ids=["nothing", "empty", "NUL", "force"],
)
def test_a_wrong_command_line(muster: Muster, pulumi: FakePulumi, arguments: tuple[str, ...], said: str) -> None:
    ran = muster("kubeconfig", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.replace("│", " ").split())


def test_the_help_says_that_a_secret_is_printed(muster: Muster) -> None:
    told = " ".join(muster("kubeconfig", "--help").out.split())
    assert "to stdout, in plain text. Pulumi keeps this output secret." in told
