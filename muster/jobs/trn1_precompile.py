"""Compiles the graphs of the BERT pre-training before it trains: `neuron_parallel_compile` around ten of its steps.

The compiler's results stay on the file system, where the training finds them (`muster.jobs.bert`).
"""

from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.jobs import bert, torchx
from muster.jobs.ask import PLAIN, Ask

NAME = "trn1-precompile"

RUN = bert.Run(NAME, "neuron_parallel_compile", ("--steps_this_run=10",))
"""The tutorial's ten steps: enough to meet every graph."""


def build(blueprint: Blueprint, ask: Ask = PLAIN) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return bert.volcano_job(blueprint, ask, RUN)


def component(blueprint: Blueprint, ask: Ask = PLAIN) -> str:
    """The TorchX component for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return torchx.component(blueprint, ask, RUN)
