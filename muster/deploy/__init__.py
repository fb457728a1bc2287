"""The only place that joins `infra` and `addons`, and orders what they register: a module for each kind of cluster."""

import pulumi

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.contract import SECRETS


def deploy(blueprint: ClusterBlueprint) -> None:
    """Registers everything of a blueprint and exports the contract (`muster.contract`)."""
    for name, value in backends.of(blueprint).register.load()(blueprint).items():
        pulumi.export(name, pulumi.Output.secret(value) if name in SECRETS else value)
