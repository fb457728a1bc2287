"""The example programs, run without an engine."""

import runpy
from collections.abc import Mapping
from typing import Any

import yaml

from muster.offline.monitor import StackOutputs
from muster.offline.recording import Recording, record
from tests.stack_files import ROOT

EXAMPLES = ROOT / "examples"
STACK = "organization/muster/p5-odcr"


def defaults(example: str) -> dict[str, str]:
    """The configuration that an example's Pulumi.yaml gives, as the engine hands it to the program."""
    project = yaml.safe_load((EXAMPLES / example / "Pulumi.yaml").read_text(encoding="utf-8"))
    return {f"{project['name']}:{key}": each["default"] for key, each in project["config"].items()}


def run(exports: StackOutputs, config: Mapping[str, str] | None = None, *, preview: bool = False) -> Recording:
    """Runs the consumer in Python, with the stack that its Pulumi.yaml names."""

    def program() -> None:
        runpy.run_path(str(EXAMPLES / "consumer-python" / "__main__.py"), run_name="__main__")

    return record(
        program,
        project="consumer-python",
        config={**defaults("consumer-python"), **(config or {})},
        preview=preview,
        stack_outputs={STACK: exports},
    )


def made(recording: Recording) -> dict[str, Any]:
    """What a consumer registers: type and name -> inputs. The provider's kubeconfig is read: it is text of JSON."""
    others = ("pulumi:pulumi:Stack", "pulumi:pulumi:StackReference")
    return {
        f"{each.type} {each.name}": dict(each.inputs) for each in recording.registrations if each.type not in others
    }
