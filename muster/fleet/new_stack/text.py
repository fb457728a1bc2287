"""The text of a new stack's file."""

from muster.fleet.new_stack.choices import Backend, Choices
from muster.fleet.new_stack.entry import Entries, Entry
from muster.fleet.new_stack.held import Source
from muster.fleet.new_stack.kubernetes_entries import kubernetes_entries
from muster.fleet.new_stack.lines import comment, lines
from muster.fleet.new_stack.slurm_entries import slurm_entries
from muster.words import counted

_SCHEMA = "# yaml-language-server: $schema=../docs/schema/stack.json"

_ON = {Backend.EKS: "on EKS", Backend.HYPERPOD: "on HyperPod", Backend.PARALLELCLUSTER: "with Slurm on ParallelCluster"}


def entries(choices: Choices) -> Entries:
    """The whole file."""
    slurm = choices.backend is Backend.PARALLELCLUSTER
    cluster = slurm_entries(choices) if slurm else kubernetes_entries(choices)
    return (
        Entry("config", (Entry("aws:region", choices.region, choices.why_region), Entry("muster:cluster", cluster))),
    )


def text(choices: Choices) -> str:
    """Its text."""
    held = choices.held
    head = (
        f"{counted(choices.nodes, held.instance, held.instance)} on a {held.kind.words}, "
        f"{_ON[choices.backend]}. Written by `muster init`; {_who_said_so(choices)}"
    )
    return "\n".join([_SCHEMA, *comment(head), *lines(entries(choices))]) + "\n"


def _who_said_so(choices: Choices) -> str:
    account = f" of account {choices.asked}" if choices.asked else ""
    if choices.held.source is Source.AWS:
        return f"AWS said so{account} on {choices.as_of}."
    if choices.held.source is Source.YOU:
        return f"you said so on {choices.as_of}, AWS did not{account}."
    return "AWS was not asked."
