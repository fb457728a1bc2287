"""Another team's program in a process of its own: what it registers, how it ends, and what does not reach it."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from muster.foreign.program import ProgramFailed, ProgramRun
from muster.foreign.project import CannotBeRead
from muster.offline.gaps import Gap
from muster.unknown import UNKNOWN
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
    assert found.gaps == (Gap("theirs:password", "the value is encrypted, so Muster does not know it"),)


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
    may |= {"SYSTEMROOT", "TMPDIR", "TZ", "USER", "UV_NO_CONFIG"}
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
        (
            "IMAGE_TAG is an environment variable that Muster does not pass to the program. Check a saved plan of the "
            "program instead (--plan)."
        ),
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


def test_a_program_that_raises(tmp_path: Path) -> None:
    """The last line of its own code, and the error: not a traceback."""
    files = {"helpers.py": "def make():\n    return {}['vpc']\n"}
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "import helpers\nhelpers.make()\n", files)
    assert str(failed.value) == f"{tmp_path.resolve()}/helpers.py:2: the program raised KeyError: 'vpc'"


def test_a_program_that_refuses(tmp_path: Path) -> None:
    """`pulumi.RunError` is the program's own word, and a missing value Pulumi's."""
    with pytest.raises(ProgramFailed, match=r"__main__.py:9: the program failed: not on a Sunday$"):
        ran(tmp_path, "raise pulumi.RunError('not on a Sunday')\n")
    with pytest.raises(ProgramFailed, match=r"__main__.py:9: the program failed: Missing required configuration"):
        ran(tmp_path, "pulumi.Config().require('size')\n")
    with pytest.raises(ProgramFailed, match=r"the program exited with code 3$"):
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
    with pytest.raises(ProgramFailed, match=r"did not end within 4 s; raise --timeout, or look for an endless loop$"):
        ran(tmp_path, program, seconds=4)
    left = mark.read_text()
    time.sleep(0.5)
    assert mark.read_text() == left, "what it started goes on"


def test_an_interpreter_without_pulumi(tmp_path: Path) -> None:
    """Words with the interpreter's path and what to do."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys._base_executable} -S -I "$@"\n')  # type: ignore[attr-defined]
    bare.chmod(0o755)
    with pytest.raises(ProgramFailed, match=r"python cannot import pulumi \(No module named 'pulumi'\); install the"):
        ran(tmp_path, "", python=bare)
    bare.write_text("#!/bin/sh\necho out of memory >&2\nexit 1\n")
    with pytest.raises(
        ProgramFailed, match=r"ended before the program was finished; its last line of output: out of memory$"
    ):
        ran(tmp_path, "", python=bare)
    bare.write_text("no program")
    with pytest.raises(CannotBeRead, match="cannot be run: "):
        ran(tmp_path, "", python=bare)


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
        "The program had called functions that only AWS can answer (aws:rds/getX:getX). If that is the cause, check a "
        "saved plan of the program instead (--plan)."
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
    with pytest.raises(CannotBeRead, match=r"virtualenv 'gone' has no interpreter; create it \(`pulumi install`\)"):
        interpreter_of(a_project(tmp_path / "theirs", "", {"Pulumi.yaml": yaml.replace("env}", "gone}")}))
    with pytest.raises(CannotBeRead, match=r"^--python .*nowhere: no interpreter there"):
        interpreter_of(plain, tmp_path / "nowhere")


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
        Gap("aws:index/getRegion:getRegion", "the Region is not set, so Muster answers as in us-east-1"),
    )


def test_an_end_before_the_end(tmp_path: Path) -> None:
    """A program that ends the process, and an interpreter that is none: neither shows our own question."""
    with pytest.raises(
        ProgramFailed, match=r"ended before the program was finished; it printed nothing \(does the program call"
    ):
        ran(tmp_path, "import os\nos._exit(0)\n")
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "", python=Path("/bin/cat"))
    assert str(failed.value) == (
        "/bin/cat is not a Python interpreter: it did not run the program; set another with --python"
    )


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
        "put(outcome, lambda file: open(file, 'w').write('[1,'))\nput(printed, os.mkfifo)",
        (
            "put(outcome, lambda file: open(file, 'w').write('{}'))\n"
            "put(printed, lambda file: os.symlink('/etc/passwd', file))"
        ),
        'put(outcome, lambda file: open(file, \'w\').write(\'{"ended": "raised", "module": 5}\'))\nos.remove(printed)',
        "put(outcome, os.mkfifo)",
        "put(outcome, lambda file: os.symlink('/dev/zero', file))",
    ],
    ids=["no JSON", "no outcome", "other types", "a pipe", "a device"],
)
def test_what_is_left_in_place_of_its_outcome(replaced: str, tmp_path: Path) -> None:
    """A program can write where the runner does: that is no bug of Muster's, and no other file is shown."""
    with pytest.raises(ProgramFailed, match="ended before the program was finished; it printed nothing"):
        ran(tmp_path, f"{REPLACED}{replaced}\nos._exit(0)\n")


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


def test_a_module_that_is_missing(tmp_path: Path) -> None:
    """One line names it, the interpreter, and the project's own list of packages."""
    with pytest.raises(ProgramFailed) as failed:
        ran(tmp_path, "import not_there\n", {"requirements.txt": "not-there\n"})
    (line,) = str(failed.value).splitlines()
    assert "'not_there'" in line
    assert str(tmp_path.resolve() / "requirements.txt") in line


@pytest.mark.parametrize("main", ["infra/", "infra/app.py"])
def test_it_runs_where_its_main_is(main: str, tmp_path: Path) -> None:
    """`main` names a folder or a file: the program runs in that folder, and imports the modules there."""
    program = RESOURCE + "import os\nimport beside\nAny('a:b:C', beside.NAME, {'at': os.getcwd()})\n"
    files = {
        "Pulumi.yaml": f"name: theirs\nruntime: python\nmain: {main}\n",
        f"infra/{'app' if main.endswith('.py') else '__main__'}.py": program,
        "infra/beside.py": "NAME = 'main'\n",
    }
    found = ran(tmp_path, "raise SystemExit(9)", files)
    assert inputs(found, "main") == {"at": str((tmp_path / "infra").resolve())}


def test_a_program_that_registers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is no pass. What it prints reaches neither of our streams, its warnings are kept, the interpreter is named,
    and no scratch files stay."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    program = "import sys\nprint('noise')\nprint('more', file=sys.stderr)\npulumi.log.warn('mind the gap')\n"
    found = ran(tmp_path / "theirs", program)
    assert found.gaps == (Gap("resources", "the program has no resources to check"),)
    assert (found.complaints, found.printed) == (("mind the gap",), 2)
    assert capfd.readouterr() == ("", "")
    assert found.interpreter.startswith(f"{sys.executable} (Python {sys.version.split()[0]}, pulumi 3.")
    assert found.interpreter.endswith("the interpreter of Muster, as the project has none; set another with --python)")
    assert list(scratch.iterdir()) == []


WHOLE = """
import asyncio
from typing import Optional, Sequence


def typed(**kinds):
    names = ", ".join(f"{name}=None" for name in kinds)
    space = {"pulumi": pulumi}
    sets = "; ".join(f"pulumi.set(__self__, '{name}', {name})" for name in kinds)
    exec(f"def __init__(__self__, *, {names}): {sets}", space)
    body = {"__init__": space["__init__"]}
    for name, (kind, as_pulumi) in kinds.items():
        def get(self, name=name):
            return pulumi.get(self, name)
        get.__name__, get.__annotations__ = name, {"return": kind}
        body[name] = property(pulumi.getter(get, name=as_pulumi))
    return pulumi.output_type(type("Answer", (dict,), body))


# Invokes, another stack, and what exists.
unknown = pulumi.runtime.invoke_output("aws:eks/getAddonVersion:getAddonVersion", {"addonName": "vpc-cni"})
other = pulumi.StackReference("org/network/prod")
there = Any("aws:ec2/vpc:Vpc", "there", {}, pulumi.ResourceOptions(id="vpc-1"))
Any("a:b:C", "user", {"version": unknown.apply(lambda a: a["version"]), "vpc": there.id, "sub": other.get_output("x")})
Any("a:b:C", "beside", {}, pulumi.ResourceOptions(import_="kept"))

# A component of a provider, and a method.
class Net(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("awsx:ec2:Vpc", name, {"vpc_id": None}, None, True)

    @property
    @pulumi.getter(name="vpcId")
    def vpc_id(self) -> pulumi.Output[str]:
        return pulumi.get(self, "vpc_id")


Any("a:b:C", "in", {"vpc": Net("net").vpc_id})
said = pulumi.runtime.call("a:b:C/getConfig", {"__self__": there}, res=there, typ=typed(result=(str, "result")))
Any("a:b:C", "called", {"config": said.result})

# An invoke with a declared type.
Table = typed(
    id=(str, "id"), number=(int, "number"), names=(Sequence[str], "names"),
    routes=(Optional[Sequence[typed(cidr_block=(str, "cidrBlock"))]], "routes"), vpc_id=(str, "vpcId"),
)
table = pulumi.runtime.invoke("other:a/getTable:getTable", {"vpcId": "vpc-1"}, typ=Table).value
for at, name in enumerate(table.names):
    Any("a:b:D", f"of-{name}", {})
Any("a:b:C", "typed", {
    "id": table.id, "text": f"arn:{table.id}", "number": table.number, "names": table.names, "vpc": table.vpc_id,
    "third": table.names[2], "block": table.routes[0].cidr_block,
})

# Transforms.
def adding(word):
    def change(args):
        if args.type_ == "a:b:T":
            return pulumi.ResourceTransformResult({**args.props, "by": [*args.props.get("by", []), word]}, args.opts)
    return change


class Box(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("theirs:box:Box", name, {}, pulumi.ResourceOptions(transforms=[adding("box")]))


pulumi.runtime.register_resource_transform(adding("stack"))
box = Box("box")
Any("a:b:T", "inside", {"by": []}, pulumi.ResourceOptions(parent=box, transforms=[adding("own")]))
Any("a:b:T", "outside", {"by": []})


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


begun = asyncio.Event()


async def after_last(args):
    begun.set()
    await last.urn.future()
    return pulumi.ResourceTransformResult({**args.props, "size": 2}, args.opts)


Any("a:b:C", "waits", {}, pulumi.ResourceOptions(transforms=[after_last]))
first = Any("a:b:C", "first", {})
given = pulumi.ResourceOptions(protect=True, ignore_changes=["tags"], transforms=[off])
Any("a:b:C", "second", {}, given)
kept = pulumi.ResourceOptions(protect=True, transforms=[lambda a: pulumi.ResourceTransformResult(a.props, a.opts)])
Any("a:b:C", "third", {}, kept)
last = Any("a:b:C", "last", {"begun": begun.wait()})
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ProgramRun:
    """One program of many parts: starting one takes seconds."""
    return ran(tmp_path_factory.mktemp("theirs"), WHOLE)


def test_what_only_the_account_or_a_provider_knows(whole: ProgramRun) -> None:
    """An invoke without an answer, another stack's outputs, the outputs and the methods of a provider's component are
    unknown, and gaps; what is read is not registered."""
    assert inputs(whole, "user") == {"version": UNKNOWN, "vpc": "vpc-1", "sub": UNKNOWN}
    assert (inputs(whole, "in"), inputs(whole, "called")) == ({"vpc": UNKNOWN}, {"config": UNKNOWN})
    by_name = {each.name: each for each in whole.registrations}
    assert "there" not in by_name
    assert by_name["beside"].id == "kept"
    assert {(gap.where, gap.missing) for gap in whole.gaps} >= {
        ("aws:eks/getAddonVersion:getAddonVersion", "only the provider knows the answer"),
        (
            "urn:pulumi:dev::theirs::pulumi:pulumi:StackReference::org/network/prod",
            "the outputs of stack 'org/network/prod' are in its backend, which Muster does not read",
        ),
        (
            "urn:pulumi:dev::theirs::awsx:ec2:Vpc::net",
            "only the provider knows the resources that awsx:ec2:Vpc creates",
        ),
    }


def test_an_invoke_without_an_answer_is_answered_by_type(whole: ProgramRun) -> None:
    """Each field that the SDK declares is unknown, also in a text, in a list, and in an object of a list."""
    seen = dict(inputs(whole, "typed"))
    assert seen.pop("vpc") == "vpc-1"
    assert seen == dict.fromkeys(("id", "text", "number", "names", "third", "block"), UNKNOWN)
    assert "other:a/getTable:getTable" in {gap.where for gap in whole.gaps}


def test_transforms_are_called(whole: ProgramRun) -> None:
    """The resource's own, then its parent's, the stack's last; a parent's does not reach others."""
    assert inputs(whole, "inside") == {"by": ["own", "box", "stack"]}
    assert inputs(whole, "outside") == {"by": ["stack"]}


def test_a_transform_may_wait_for_a_resource_that_is_registered_later(whole: ProgramRun) -> None:
    """The engine answers other requests while a transform runs."""
    assert inputs(whole, "waits") == {"size": 2}


def test_options_that_transforms_change(whole: ProgramRun) -> None:
    """All that is recorded of them; protection can be taken off as well as put on."""
    found = {each.name: each for each in whole.registrations}
    options = dict(found["second"].options)
    assert len(options.pop("aliases")) == 1
    assert options == {"additionalSecretOutputs": ["key"], "replaceOnChanges": ["size"], "retainOnDelete": True}
    assert found["second"].dependencies == (found["first"].urn,)
    assert found["third"].options == {"protect": True}
