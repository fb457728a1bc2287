"""The commands of `muster`, each loaded when it runs.

Help and completion need a command's name and its first lines alone, which are in a table here; a test compares them
with the docstrings.
"""

from importlib import import_module
from typing import Any

import typer
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

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes the options that come before the command."""
        _pass_plain_values(self, ctx)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first argument, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        loaded = load(name) if command and name else None
        if loaded is not None:
            _pass_plain_values(loaded, ctx)
        return name, loaded, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  (Typer's signature)
        """Writes each command with its whole line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(line.split())) for name, line in HELP_LINES.items()])


def load(name: str) -> Any:
    """A command with its options.

    Its module has a function of its name, or an `app` where the command has several functions.
    """
    module = import_module(f"muster.cli.commands.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(getattr(module, name))
    return get_command(app)


def _pass_plain_values(command: Any, context: Any) -> None:
    """Lets options and arguments whose values are text already skip Typer's conversion, which imports pydantic: two
    thirds of the time of `muster explain`."""
    for parameter in command.get_params(context):
        parameter._runtime_param = _PlainValue()  # noqa: SLF001  (Typer has no public way; another version ignores it)
    for each in getattr(command, "commands", {}).values():
        _pass_plain_values(each, context)


class _PlainValue:
    """Passes a missing value, and one that has its type already; Typer converts all others."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        descriptor, several = param.type_descriptor, param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if descriptor.parameter_info.parser is None:
            if several and descriptor.annotation == list[str]:
                return [*value]
            if not several and type(value) is descriptor.annotation:
                return value
        param._runtime_param = None  # noqa: SLF001
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
