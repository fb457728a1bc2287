"""Pre-trains BERT-large (phase 1, sequences of 128) on whole Trainium nodes: 32 processes on each trn1.32xlarge.

`trn1-precompile` comes first: without it each graph is compiled when the training meets it (`muster.jobs.bert`).
"""

from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.jobs import bert, torchx
from muster.jobs.ask import PLAIN, Ask

NAME = "trn1-pretrain"

RUN = bert.Run(NAME)

BEGINS_ANEW = (
    "when a pod fails, all begin anew, from the first step: the script resumes from its checkpoints only with "
    "--resume_ckpt, and fails with it where there are none"
)


def build(blueprint: Blueprint, ask: Ask = PLAIN) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return bert.volcano_job(blueprint, ask, RUN)


def notes(blueprint: Blueprint, ask: Ask = PLAIN) -> tuple[str, ...]:
    """What whoever sends it should know.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return (*bert.notes(blueprint, ask), BEGINS_ANEW)


def component(blueprint: Blueprint, ask: Ask = PLAIN) -> str:
    """The TorchX component for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return torchx.component(blueprint, ask, RUN)
