"""The commands of `muster`. A command's module is loaded only when the command runs.

Help and completion need only the name and the help line of each command. They are in a table here; a test compares
them with the docstrings.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from muster.finding import WrongInput

UsageError: Any = typer.BadParameter.__mro__[1]
"""An error in the command line. Typer exports only a subclass of it."""

HELP_LINES = {
    "new": "Create a project: a folder with Pulumi.yaml, the program, and an example stack to copy from.",
    "init": "Write and check the stack file of a new cluster for your instances.",
    "check": "Check stacks and files of other tools against every rule. Needs no AWS account.",
    "plan": "Show what `pulumi up` would create: resources, nodes, their capacity, findings. Needs no AWS account.",
    "cost": "Estimate what stacks cost: each part by the hour and by the month, and what the estimate omits.",
    "report": "Report the findings of the policy pack in a preview or an update, with the remedy and source of each.",
    "job": "Print a training job sized to a cluster: GPUs, EFA, huge pages, memory.",
    "image": "Print the Dockerfile of a training image, and on stderr the commands that build and push it.",
    "preflight": "Query AWS about everything that a stack uses, and check the stack against the answers. Read-only.",
    "rehearse": "Prove that a job will start: run it on a real control plane with simulated nodes, on this machine.",
    "mirror": "List the charts and images that a cluster without internet access needs, with their copy targets.",
    "hardware": "Show instance types: accelerators, network cards and interfaces, pods, allocatable resources, zones.",
    "explain": "Explain a rule: what it requires, why, its source, and the remedy.",
    "schema": "Print the JSON Schema of a description, facts, a stack file, a rule configuration, or stack outputs.",
    "verify": "Compare a running cluster with its description: nodes, capacity, plugins, EFA, health. Read-only.",
    "addons": "Show the add-ons of a stack in order of installation: versions, dependencies, groups served.",
    "addons export": "Write what Argo CD, Flux or helmfile applies for the add-ons of a stack.",
    "config": "Print the cluster of a stack on ParallelCluster or HyperPod as input of AWS's CLI.",
    "policies": "Print where the policy pack is, for `pulumi preview --policy-pack`.",
    "components": "Print where the component plugin is, for programs in other languages.",
}
"""The first paragraph of each command's help. The order is that of `muster --help`."""


class CommandGroup(TyperGroup):
    """Has the name and help line of every command, and loads the command that runs or completes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: TyperCommand(name, help=line) for name, line in HELP_LINES.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Loads the command that the first argument names."""
        longer = " ".join(args[:2])
        if longer in HELP_LINES and " " in longer:  # `addons export`, beside `addons STACK`
            return longer, load(longer), args[2:]
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(name) if command and name else None, rest

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. The error about a missing stack lists the stacks."""
        try:
            return super().invoke(ctx)
        except UsageError as fault:
            missing = getattr(fault, "param", None)
            if missing is None or missing.name != "stack" or fault.message:
                raise
            from muster.cli.stacks import known_stacks

            stacks = ", ".join(known_stacks()) or "this project has none"
            raise WrongInput(f"{fault.ctx.command_path} needs a stack: {stacks}") from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  (Typer's signature)
        """Writes each command with its whole help line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(line.split())) for name, line in HELP_LINES.items()])


def load(name: str) -> Any:
    """A command with its options.

    Its module has a function with the command's name, or an `app` if the command has several functions.
    """
    called = name.replace(" ", "_")
    module = import_module(f"muster.cli.commands.{called}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(getattr(module, called))
    return get_command(app)
