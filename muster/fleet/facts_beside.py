"""Reads the facts beside a stack file."""

from pathlib import Path

from muster.fleet.document import Document, read
from muster.fleet.dotted import Path_, dotted
from muster.fleet.facts import Facts
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.located import Located, located_at, value_at
from muster.fleet.resources.fleet import PARALLELCLUSTER
from muster.fleet.shape import shape

_BACKEND_OF_OUTPUTS: Path_ = ("outputs", "backend")
_OUTPUTS_OF_SLURM = Finding(
    dotted(_BACKEND_OF_OUTPUTS),
    SHAPE,
    Level.MANDATORY,
    "these are the outputs of a cluster with Slurm, which has no Kubernetes",
    "name a stack on eks or hyperpod in addons-of, and write its outputs here",
)
"""Told by itself: everything that such outputs lack would follow."""


def load_facts(file: Path) -> tuple[Facts | None, Document | None, list[Located]]:
    """The facts beside the stack; a file that is not there is no fault."""
    if not file.exists():
        return None, None, []
    document = read(file)
    faults = [Located(document.file, position, finding) for _, position, finding in document.faults]
    if not document.values_at:
        return None, document, faults
    if value_at(document.data, _BACKEND_OF_OUTPUTS) == PARALLELCLUSTER:
        return None, document, [*faults, located_at(document, _BACKEND_OF_OUTPUTS, _OUTPUTS_OF_SLURM)]
    facts, shaped = shape(Facts, document.data)
    faults += [located_at(document, path, finding) for path, finding in shaped]
    return facts, document, faults
