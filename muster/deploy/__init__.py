"""The only place that joins `infra` and `addons`, and orders what they register: a module for each kind of cluster."""

from typing import Any

import pulumi

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.contract import SECRETS


def deploy(blueprint: ClusterBlueprint) -> dict[str, Any]:
    """Registers everything of a blueprint, exports the contract (`muster.contract`), and returns what it exports."""
    made = backends.of(blueprint).register.load()(blueprint)
    outputs = {name: pulumi.Output.secret(value) if name in SECRETS else value for name, value in made.items()}
    for name, value in outputs.items():
        pulumi.export(name, value)
    return outputs
