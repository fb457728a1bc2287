"""The commands of `muster`, each loaded when it runs.

Help and completion need a command's name and its first lines alone, which are in a table here; a test compares them
with the docstrings.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import typer
from typer._coercion import TypeDescriptor, build_runtime_param
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

HELP_LINES = {
    "init": "Write the file of a new stack for instances that are yours, and the facts beside it, and check it.",
    "check": "Judge stacks, or programs of other teams, by every documented rule. Needs no AWS account.",
    "plan": "Show what `pulumi up` would create: resources, nodes and what they offer, findings. Needs no AWS account.",
    "cost": "Show what stacks cost, before anything is paid for: each part by the hour and month, and what is not "
    "counted.",
    "report": "Report what the policy pack said in a preview or an update, with what its rules' sheets say.",
    "job": "Print a training job sized to a cluster: GPUs, EFA, huge pages, memory.",
    "image": "Print the Dockerfile of a training image; stderr says how to build it and push it to a stack's registry.",
    "preflight": "Ask AWS about everything that a stack names or needs, and judge the stack by the answers. Read-only.",
    "rehearse": "Prove that a job will start: the planned nodes, their add-ons and the job on a real control plane, "
    "here.",
    "mirror": "List every chart and image to copy for a stack to work without a way out, from where and to where.",
    "hardware": "Show an instance type: accelerators, network cards, interfaces in both layouts, pods, what pods get, "
    "zones.",
    "explain": "Explain a rule: what it wants, why, who says so, and what to do.",
    "schema": "Print the JSON Schema of a description, of facts, of a whole stack file (for editors), of the rules'\n"
    "configuration, or of a stack's outputs.",
    "kubeconfig": "Print the kubeconfig of a deployed stack, to stdout: the output that Pulumi keeps secret, in the "
    "clear.",
    "verify": "Compare a cluster that runs with its description: nodes, what they offer, plugins, EFA, health. "
    "Read-only.",
    "addons": "Show the add-ons of a stack in their order (`muster addons STACK`), or render them (`muster addons "
    "render`).",
    "hyperpod": "Show a cluster on SageMaker HyperPod in the words of AWS's own CLI.",
    "pcluster": "Show a Slurm cluster on AWS ParallelCluster in the words of AWS's own CLI, `pcluster`.",
}
"""The first paragraph of each command's help, in the order of `muster --help`."""


class CommandGroup(TyperGroup):
    """Knows every command by its name and help line, and loads the one that runs or completes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=line) for name, line in HELP_LINES.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first argument, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if command and name else None, rest


def load(name: str) -> Any:
    """A command with its options.

    Its module has a function of its name, or, where there is more than that to it, an `app`.
    """
    module = import_module(f"muster.cli.commands.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False)
        app.command(name)(getattr(module, name))
    return get_command(app)


class _PlainValue:
    """Passes a value that has its type already, and lets Typer convert all others.

    Typer builds an adapter of pydantic for each parameter, even for one that is not given: 0.1 s and more.
    """

    def __init__(self, descriptor: TypeDescriptor) -> None:
        self._descriptor = descriptor

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if self._descriptor.parameter_info.parser is None:
            if several and self._descriptor.annotation == list[str]:
                return [*value]
            if not several and type(value) is self._descriptor.annotation:
                return value
        return build_runtime_param(self._descriptor).coerce(value, param=param, ctx=ctx)


typer.core.build_runtime_param = _PlainValue  # type: ignore[assignment]


def spare_help_unused_imports() -> None:
    """Keeps Typer's help pages from importing rich's Markdown and Traceback, which they do not show here: with pygments
    and markdown-it these take as long as all else of the page."""
    for name, attribute in (("rich.markdown", "Markdown"), ("rich.traceback", "Traceback")):
        empty = ModuleType(name)
        setattr(empty, attribute, None)
        sys.modules.setdefault(name, empty)
