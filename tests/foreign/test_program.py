"""Another team's program in a process of its own: what it registers, how it ends, and what does not reach it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.fleet.unknown import UNKNOWN
from muster.foreign.program import ProgramFailed, run_program
from muster.foreign.project import CannotBeRead
from muster.offline.gaps import Gap
from tests.foreign.written import RESOURCE, a_project, inputs, ran

STACK_FILE = """\
config:
  aws:region: eu-west-1
  size: 4
  theirs:names: [a, b]
  theirs:password:
    secure: v1:abc:def
"""


def test_it_gets_its_configuration(tmp_path: Path) -> None:
    """Plain values, structured ones, the defaults of Pulumi.yaml; a secret that is encrypted is unknown, and told."""
    program = """
config = pulumi.Config()
Any("aws:ec2/vpc:Vpc", "main", {
    "size": config.require_int("size"),
    "names": config.require_object("names"),
    "more": config.require("more"),
    "password": config.require_secret("password"),
    "region": pulumi.Config("aws").require("region"),
    "of": [pulumi.get_project(), pulumi.get_stack(), pulumi.get_organization(), pulumi.runtime.is_dry_run()],
})
"""
    yaml = "name: theirs\nruntime: python\nconfig:\n  more: {type: string, default: told}\n"
    found = ran(tmp_path, program, {"Pulumi.dev.yaml": STACK_FILE, "Pulumi.yaml": yaml})
    assert inputs(found, "main") == {
        "size": 4,
        "names": ["a", "b"],
        "more": "told",
        "password": UNKNOWN,
        "region": "eu-west-1",
        "of": ["theirs", "dev", "organization", True],
    }
    assert found.region == "eu-west-1"
    assert found.gaps == (Gap("theirs:password", "is encrypted: its value is unknown here"),)


def test_it_runs_where_its_main_is(tmp_path: Path) -> None:
    """`main` names a folder: the program runs there, and imports what stands beside it."""
    files = {
        "Pulumi.yaml": "name: theirs\nruntime: python\nmain: infra/\n",
        "infra/__main__.py": RESOURCE + "import os\nimport beside\nAny('a:b:C', beside.NAME, {'at': os.getcwd()})\n",
        "infra/beside.py": "NAME = 'main'\n",
    }
    found = ran(tmp_path, "raise SystemExit(9)", files)
    assert inputs(found, "main") == {"at": str((tmp_path / "infra").resolve())}


def test_no_credentials_reach_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable but those of the list, and no profile, login or kubeconfig of the home; the Region goes along."""
    secrets = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "PULUMI_ACCESS_TOKEN", "GITHUB_TOKEN", "KUBECONFIG", "OF_ANY_NAME")
    for name in secrets:
        monkeypatch.setenv(name, "secret")
    home = tmp_path / "home"
    for file in (".aws/credentials", ".aws/config", ".pulumi/credentials.json", ".kube/config"):
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_text("[default]\naws_access_key_id = AKIA\naws_secret_access_key = secret\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("AWS_REGION", "ap-south-1")
    program = """
import os, pathlib, sys
Any("a:b:C", "seen", {
    "names": sorted(os.environ),
    "home": sorted(str(each) for each in pathlib.Path.home().rglob("*")),
    "there": pathlib.Path("~/.aws/credentials").expanduser().exists(),
    "runner": any(each.endswith("foreign") for each in sys.path),
})
"""
    found = ran(tmp_path / "theirs", program)
    seen = dict(inputs(found, "seen"))
    names = seen.pop("names")
    assert seen == {"home": [], "there": False, "runner": False}
    assert isinstance(names, list)
    may = {"LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "PYENV_ROOT", "PYENV_VERSION", "PYTHONPATH"}
    may |= {"SYSTEMROOT", "TMPDIR", "TZ", "USER"}
    # What a Python or a coverage tool adds of itself is none of ours.
    assert {each for each in names if not each.startswith("LC_")} - may == {
        "AWS_CONFIG_FILE",
        "AWS_EC2_METADATA_DISABLED",
        "AWS_REGION",
        "AWS_SHARED_CREDENTIALS_FILE",
        "HOME",
        "PULUMI_CONFIG",
        "PULUMI_CONFIG_SECRET_KEYS",
        "PULUMI_HOME",
        "PYTHONUNBUFFERED",
        "PYTHONUSERBASE",
        "USERPROFILE",
    }
    assert found.region == "ap-south-1"


def test_a_variable_that_is_missing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that wants one hears why it has none, and what to do."""
    monkeypatch.setenv("IMAGE_TAG", "v1")
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "import os\nos.environ['IMAGE_TAG']\n")
    assert str(failed.value).splitlines() == [
        f"{tmp_path.resolve()}/__main__.py:10: the program raised KeyError: 'IMAGE_TAG'",
        "IMAGE_TAG is a variable here, which is not handed on. Judge a plan of it (--plan).",
    ]


def test_poetry_gets_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked where it keeps the environment, which needs its home and nothing more."""
    monkeypatch.setenv("GITHUB_TOKEN", "ghp-hidden")
    monkeypatch.setenv("POETRY_HTTP_BASIC_INDEX_PASSWORD", "ghp-hidden")
    said = tmp_path / "said"
    poetry = tmp_path / "bin" / "poetry"
    poetry.parent.mkdir()
    poetry.write_text(f"#!/bin/sh\n/usr/bin/env > {said}\nexit 1\n")
    poetry.chmod(0o755)
    monkeypatch.setenv("PATH", f"{poetry.parent}:{os.environ['PATH']}")
    from muster.foreign.python_process import interpreter_of

    yaml = "name: theirs\nruntime: {name: python, options: {toolchain: poetry}}\n"
    interpreter_of(a_project(tmp_path / "theirs", "", {"Pulumi.yaml": yaml}))
    assert "POETRY_VIRTUALENVS_CREATE=false" in said.read_text()
    assert "ghp-hidden" not in said.read_text()


def test_what_it_prints_is_not_ours(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its noise reaches neither of our streams; what it warns of is kept."""
    program = "import sys\nprint('noise')\nprint('more', file=sys.stderr)\npulumi.log.warn('mind the gap')\n"
    found = ran(tmp_path, program)
    assert (found.complaints, found.printed) == (("mind the gap",), 2)
    assert capfd.readouterr() == ("", "")


def test_a_program_that_raises(tmp_path: Path) -> None:
    """The last line of its own code, and the error: not a traceback."""
    files = {"helpers.py": "def make():\n    return {}['vpc']\n"}
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "import helpers\nhelpers.make()\n", files)
    assert str(failed.value) == f"{tmp_path.resolve()}/helpers.py:2: the program raised KeyError: 'vpc'"


def test_a_program_that_refuses(tmp_path: Path) -> None:
    """`pulumi.RunError` is the program's own word, and a missing value Pulumi's."""
    with pytest.raises(ProgramFailed, match=r"__main__.py:9: the program refuses: not on a Sunday$"):
        ran(tmp_path, "raise pulumi.RunError('not on a Sunday')\n")
    with pytest.raises(ProgramFailed, match=r"__main__.py:9: the program refuses: Missing required configuration"):
        ran(tmp_path, "pulumi.Config().require('size')\n")
    with pytest.raises(ProgramFailed, match=r"the program left with exit code 3$"):
        ran(tmp_path, "import sys\nsys.exit(3)\n")


def test_two_resources_of_one_name(tmp_path: Path) -> None:
    """The engine refuses them, so this does, in its words; it is the program's fault, not ours."""
    with pytest.raises(ProgramFailed, match="Duplicate resource URN 'urn:pulumi:dev::theirs::a:b:C::twice'"):
        ran(tmp_path, "Any('a:b:C', 'twice', {})\nAny('a:b:C', 'twice', {})\n")


def test_a_program_without_an_end(tmp_path: Path) -> None:
    """It is ended, with what it started, and told what to do."""
    mark = tmp_path / "alive"
    child = f"import time\nwhile True:\n    open({str(mark)!r}, 'w').write(str(time.time()))\n    time.sleep(0.1)\n"
    program = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(600)\n"
    with pytest.raises(ProgramFailed, match=r"did not end within 4 s; give it longer with --timeout, or look for a"):
        ran(tmp_path, program, seconds=4)
    left = mark.read_text()
    time.sleep(0.5)
    assert mark.read_text() == left, "what it started goes on"


def test_an_interpreter_without_pulumi(tmp_path: Path) -> None:
    """Words with the interpreter's path and what to do."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys._base_executable} -S -I "$@"\n')  # type: ignore[attr-defined]
    bare.chmod(0o755)
    with pytest.raises(ProgramFailed, match=r"python has no pulumi \(No module named 'pulumi'\); install the"):
        ran(tmp_path, "", python=bare)
    bare.write_text("#!/bin/sh\necho out of memory >&2\nexit 1\n")
    with pytest.raises(ProgramFailed, match=r"ended before the program did; the last it printed: out of memory$"):
        ran(tmp_path, "", python=bare)
    bare.write_text("no program")
    with pytest.raises(CannotBeRead, match="cannot be run: "):
        ran(tmp_path, "", python=bare)


def test_the_interpreter_is_said(tmp_path: Path) -> None:
    """Which Python it was, its version and SDK's, and why it was that one."""
    found = ran(tmp_path, "").interpreter
    assert found.startswith(f"{sys.executable} (Python {sys.version.split()[0]}, pulumi 3.")
    assert found.endswith("Muster's own: the project has none; --python names another)")


def test_what_only_the_account_knows(tmp_path: Path) -> None:
    """A question with no answer is unknown and told; another stack's outputs, too; what is read is not registered."""
    program = """
unknown = pulumi.runtime.invoke_output("aws:eks/getAddonVersion:getAddonVersion", {"addonName": "vpc-cni"})
other = pulumi.StackReference("org/network/prod")
there = Any("aws:ec2/vpc:Vpc", "there", {}, pulumi.ResourceOptions(id="vpc-1"))
Any("a:b:C", "user", {"version": unknown.apply(lambda a: a["version"]), "vpc": there.id, "sub": other.get_output("x")})
Any("a:b:Remote", "beside", {}, pulumi.ResourceOptions(import_="kept"))
"""
    found = ran(tmp_path, program)
    assert inputs(found, "user") == {"version": UNKNOWN, "vpc": "vpc-1", "sub": UNKNOWN}
    assert [each.name for each in found.registrations] == ["user", "beside", "theirs-dev"]
    assert found.registrations[1].id == "kept"
    assert [(gap.where, gap.missing) for gap in found.gaps] == [
        ("aws:eks/getAddonVersion:getAddonVersion", "its answer is unknown here: only its provider knows"),
        (
            "urn:pulumi:dev::theirs::pulumi:pulumi:StackReference::org/network/prod",
            "the outputs of the stack 'org/network/prod' are in its backend: unknown here",
        ),
    ]


def test_a_component_that_nobody_here_makes(tmp_path: Path) -> None:
    """Its children are not seen, and that is told; its outputs are unknown."""
    program = """
class Net(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("awsx:ec2:Vpc", name, {"vpc_id": None}, None, True)

    @property
    @pulumi.getter(name="vpcId")
    def vpc_id(self) -> pulumi.Output[str]:
        return pulumi.get(self, "vpc_id")


Any("a:b:C", "in", {"vpc": Net("net").vpc_id})
"""
    found = ran(tmp_path, program)
    assert inputs(found, "in") == {"vpc": UNKNOWN}
    told = "what a awsx:ec2:Vpc makes only its provider knows: none of it is seen"
    assert found.gaps == (Gap("urn:pulumi:dev::theirs::awsx:ec2:Vpc::net", told),)


def test_transforms_are_asked(tmp_path: Path) -> None:
    """The resource's own, then its parent's, the stack's last; a parent's does not reach others."""
    program = """
def adding(word):
    def change(args):
        if args.type_ == "a:b:C":
            return pulumi.ResourceTransformResult({**args.props, "by": [*args.props.get("by", []), word]}, args.opts)
    return change


class Box(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("theirs:box:Box", name, {}, pulumi.ResourceOptions(transforms=[adding("box")]))


pulumi.runtime.register_resource_transform(adding("stack"))
box = Box("box")
Any("a:b:C", "inside", {"by": []}, pulumi.ResourceOptions(parent=box, transforms=[adding("own")]))
Any("a:b:C", "outside", {"by": []})
"""
    found = ran(tmp_path, program)
    assert inputs(found, "inside") == {"by": ["own", "box", "stack"]}
    assert inputs(found, "outside") == {"by": ["stack"]}


def test_a_transform_that_raises_is_the_programs(tmp_path: Path) -> None:
    """It is told as the program's error, not as a bug of ours."""
    program = """
def change(args):
    raise ValueError("no tags")


pulumi.runtime.register_resource_transform(change)
Any("a:b:C", "one", {})
"""
    with pytest.raises(ProgramFailed, match=r"a transform raised: .*no tags"):
        ran(tmp_path, program)


def test_a_bug_of_ours_is_not_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What our monitor raises comes out as it is, whatever the program makes of it."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("muster.offline.monitor.computed_properties", broken)
    with pytest.raises(ZeroDivisionError, match="ours"):
        ran(tmp_path, "Any('a:b:C', 'one', {})\n")


def test_an_error_after_a_made_up_answer_says_so(tmp_path: Path) -> None:
    """A program may raise only because nobody here knows its account."""
    program = "raise ValueError(pulumi.runtime.invoke('aws:rds/getX:getX', {}).value)\n"
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, program)
    assert str(failed.value).splitlines()[1] == (
        "It had asked what only the account knows (aws:rds/getX:getX). Where that is why: judge a plan of it (--plan)."
    )


def test_it_finds_the_projects_own_interpreter(tmp_path: Path) -> None:
    """The virtualenv of Pulumi.yaml before a .venv, here or above; --python before both."""
    for name in ("theirs/env/bin", ".venv/bin", "asked/bin"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "python").symlink_to(sys.executable)
    yaml = "name: theirs\nruntime: {name: python, options: {virtualenv: env}}\n"
    project = a_project(tmp_path / "theirs", "", {"Pulumi.yaml": yaml})
    from muster.foreign.python_process import interpreter_of

    assert interpreter_of(project).path == tmp_path.resolve() / "theirs/env/bin/python"
    assert interpreter_of(project, tmp_path / "asked").path == tmp_path / "asked/bin/python"
    plain = a_project(tmp_path / "other/deep")
    assert interpreter_of(plain).path == tmp_path.resolve() / ".venv/bin/python"
    with pytest.raises(CannotBeRead, match=r"virtualenv 'gone' has no interpreter; make it \(`pulumi install`\)"):
        interpreter_of(a_project(tmp_path / "theirs", "", {"Pulumi.yaml": yaml.replace("env}", "gone}")}))
    with pytest.raises(CannotBeRead, match=r"^--python .*nowhere: no interpreter there"):
        interpreter_of(plain, tmp_path / "nowhere")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """No scratch files stay."""
    os.environ["TMPDIR"], before = str(tmp_path), os.environ.get("TMPDIR")
    try:
        import tempfile

        tempfile.tempdir = None
        project = a_project(tmp_path / "theirs")
        run_program(project, "dev")
        assert [each.name for each in tmp_path.iterdir()] == ["theirs"]
    finally:
        tempfile.tempdir = None
        os.environ.pop("TMPDIR")
        if before is not None:
            os.environ["TMPDIR"] = before


def test_a_program_that_registers_nothing_is_no_pass(tmp_path: Path) -> None:
    """It is told, as of a file without resources."""
    assert ran(tmp_path, "").gaps == (Gap("resources", "a resource: the program has none to judge"),)


def test_the_region_that_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the program names none, the one of Muster's configuration answers it; else what is taken is told where the
    answer hangs on it, and only there."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    program = """
region = pulumi.runtime.invoke("aws:index/getRegion:getRegion", {}).value
policy = pulumi.runtime.invoke("aws:iam/getPolicyDocument:getPolicyDocument", {"statements": []}).value
Any("a:b:C", "seen", {"region": region["name"]})
"""
    found = ran(tmp_path, program, region="eu-west-1")
    assert (inputs(found, "seen")["region"], found.region, found.gaps) == ("eu-west-1", "eu-west-1", ())
    found = ran(tmp_path, program)
    assert (inputs(found, "seen")["region"], found.region) == ("us-east-1", None)
    assert found.gaps == (
        Gap("aws:index/getRegion:getRegion", "nobody says the Region, and it is answered as in us-east-1"),
    )


def test_an_end_before_the_end(tmp_path: Path) -> None:
    """A program that ends the process, and an interpreter that is none: neither shows our own question."""
    with pytest.raises(
        ProgramFailed, match=r"ended before the program did; it printed nothing \(does the program call"
    ):
        ran(tmp_path, "import os\nos._exit(0)\n")
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "", python=Path("/bin/cat"))
    assert str(failed.value) == "/bin/cat is no Python: it did not run the program; name another with --python"


REPLACED = """
import json, os, sys
(asked,) = [each for each in open("/proc/self/cmdline").read().split("\\0") if each.endswith("request.json")]
outcome = json.load(open(asked))["outcome"]
printed = os.path.join(os.path.dirname(asked), "printed")


def put(file, make):
    if os.path.lexists(file):
        os.remove(file)
    make(file)


"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="it finds its request there")
@pytest.mark.parametrize(
    "replaced",
    [
        "put(outcome, lambda file: open(file, 'w').write('[1,'))",
        "put(outcome, lambda file: open(file, 'w').write('{}'))",
        'put(outcome, lambda file: open(file, \'w\').write(\'{"ended": "raised", "module": 5}\'))',
        "put(outcome, os.mkfifo)",
        "put(outcome, lambda file: os.symlink('/dev/zero', file))",
        "put(printed, os.mkfifo)",
        "put(printed, lambda file: os.symlink('/etc/passwd', file))",
        "os.remove(printed)",
    ],
)
def test_what_is_left_in_place_of_its_outcome(replaced: str, tmp_path: Path) -> None:
    """A program can write where the runner does: that is no bug of Muster's, and no other file is shown."""
    with pytest.raises(ProgramFailed, match="ended before the program did; it printed nothing"):
        ran(tmp_path, f"{REPLACED}{replaced}\nos._exit(0)\n")


def test_options_that_transforms_change(tmp_path: Path) -> None:
    """All that is recorded of them, by what is there: protection can be taken off as well as put on."""
    program = """
def off(args):
    opts = args.opts
    opts.protect = False
    opts.depends_on = [first]
    opts.ignore_changes = []
    opts.replace_on_changes = ["size"]
    opts.additional_secret_outputs = ["key"]
    opts.retain_on_delete = True
    opts.aliases = [pulumi.Alias(name="old")]
    return pulumi.ResourceTransformResult(args.props, opts)


first = Any("a:b:C", "first", {})
given = pulumi.ResourceOptions(protect=True, ignore_changes=["tags"], transforms=[off])
Any("a:b:C", "second", {}, given)
kept = pulumi.ResourceOptions(protect=True, transforms=[lambda a: pulumi.ResourceTransformResult(a.props, a.opts)])
Any("a:b:C", "third", {}, kept)
"""
    found = {each.name: each for each in ran(tmp_path, program).registrations}
    options = dict(found["second"].options)
    assert len(options.pop("aliases")) == 1
    assert options == {"additionalSecretOutputs": ["key"], "replaceOnChanges": ["size"], "retainOnDelete": True}
    assert found["second"].dependencies == (found["first"].urn,)
    assert found["third"].options == {"protect": True}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows an environment under /proc")
def test_it_does_not_read_the_environment_of_muster(tmp_path: Path) -> None:
    """Not by /proc: neither as a plain user, nor as root. What a process has there is what it was started with."""
    program = """
import os
import subprocess
try:
    with open(f"/proc/{os.getppid()}/environ", "rb") as file:
        seen = b"HUSH" in file.read()
except OSError:
    seen = False
Any("a:b:C", "one", {"seen": seen})
"""
    project = a_project(tmp_path, RESOURCE + program)
    judge = (
        "from pathlib import Path\nfrom muster.foreign.program import run_program\n"
        "from muster.foreign.project import open_project\n"
        f"ran = run_program(open_project(Path({str(project.root)!r})), 'dev')\n"
        "print([each.inputs['seen'] for each in ran.registrations if each.name == 'one'])\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", judge], env={**os.environ, "HUSH": "1"}, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[False]"


def test_an_interpreter_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the one where the user stands, never a file of that path in the judged project."""
    from muster.foreign.python_process import interpreter_of

    project = a_project(tmp_path / "theirs")
    for folder in (tmp_path / "here" / "env" / "bin", project.root / "env" / "bin"):
        folder.mkdir(parents=True)
        (folder / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path / "here")
    for asked in ("env", "env/bin/python"):
        assert interpreter_of(project, Path(asked)).path == tmp_path / "here/env/bin/python"


def test_a_question_without_an_answer_is_answered_by_type(tmp_path: Path) -> None:
    """Each field that the SDK declares is unknown, also in a text, in a list, and in an object of a list."""
    program = """
from typing import Optional, Sequence


@pulumi.output_type
class Route(dict):
    def __init__(__self__, *, cidr_block: str):
        pulumi.set(__self__, "cidr_block", cidr_block)

    @property
    @pulumi.getter(name="cidrBlock")
    def cidr_block(self) -> str:
        return pulumi.get(self, "cidr_block")


@pulumi.output_type
class Table:
    def __init__(__self__, id=None, number=None, names=None, routes=None, vpc_id=None):
        for name, value in (("id", id), ("number", number), ("names", names), ("routes", routes), ("vpc_id", vpc_id)):
            pulumi.set(__self__, name, value)

    @property
    @pulumi.getter
    def id(self) -> str:
        return pulumi.get(self, "id")

    @property
    @pulumi.getter
    def number(self) -> int:
        return pulumi.get(self, "number")

    @property
    @pulumi.getter
    def names(self) -> Sequence[str]:
        return pulumi.get(self, "names")

    @property
    @pulumi.getter
    def routes(self) -> Optional[Sequence[Route]]:
        return pulumi.get(self, "routes")

    @property
    @pulumi.getter(name="vpcId")
    def vpc_id(self) -> str:
        return pulumi.get(self, "vpc_id")


table = pulumi.runtime.invoke("other:a/getTable:getTable", {"vpcId": "vpc-1"}, typ=Table).value
for at, name in enumerate(table.names):
    Any("a:b:D", f"of-{name}", {})
Any("a:b:C", "one", {
    "id": table.id, "text": f"arn:{table.id}", "number": table.number, "names": table.names, "vpc": table.vpc_id,
    "third": table.names[2], "block": table.routes[0].cidr_block,
})
"""
    found = ran(tmp_path, program)
    seen = dict(inputs(found, "one"))
    assert seen.pop("vpc") == "vpc-1"
    assert seen == dict.fromkeys(("id", "text", "number", "names", "third", "block"), UNKNOWN)
    assert [gap.where for gap in found.gaps] == ["other:a/getTable:getTable"]


def test_a_method_of_a_component_is_unknown(tmp_path: Path) -> None:
    """Its result has no value, and the program goes on."""
    program = """
@pulumi.output_type
class Result:
    def __init__(__self__, result=None):
        pulumi.set(__self__, "result", result)

    @property
    @pulumi.getter
    def result(self) -> str:
        return pulumi.get(self, "result")


one = Any("a:b:C", "one", {})
said = pulumi.runtime.call("a:b:C/getConfig", {"__self__": one}, res=one, typ=Result)
Any("a:b:C", "two", {"config": said.result})
"""
    assert inputs(ran(tmp_path, program), "two") == {"config": UNKNOWN}


def test_a_module_that_is_missing(tmp_path: Path) -> None:
    """One line names it, the interpreter, and the project's own list of packages."""
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "import not_there\n", {"requirements.txt": "not-there\n"})
    (line,) = str(failed.value).splitlines()
    assert "'not_there'" in line
    assert str(tmp_path.resolve() / "requirements.txt") in line


def test_a_module_beside_a_file_that_is_main(tmp_path: Path) -> None:
    """The engine puts the program's folder on the path; so does this, also where `main` names a file."""
    files = {
        "Pulumi.yaml": "name: theirs\nruntime: python\nmain: infra/app.py\n",
        "infra/app.py": RESOURCE + "import beside\nAny('a:b:C', beside.NAME, {})\n",
        "infra/beside.py": "NAME = 'main'\n",
    }
    assert inputs(ran(tmp_path, "", files), "main") == {}
