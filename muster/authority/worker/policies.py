"""What ParallelCluster's own update policy says of each key of a configuration."""

from collections.abc import Iterator
from typing import Any

from marshmallow import fields
from pcluster.config.update_policy import UpdatePolicy
from pcluster.schemas.cluster_schema import ClusterSchema


def policies() -> dict[str, str]:
    """Dotted path of a key (``Scheduling.SlurmQueues[].Name``) -> the name of its policy."""
    return dict(_below(ClusterSchema(cluster_name="name"), "", ()))


def _below(schema: Any, at: str, above: tuple[type, ...]) -> Iterator[tuple[str, str]]:
    for name, each in schema.fields.items():
        inner = each.inner if isinstance(each, fields.List) else each
        path = f"{at}{each.data_key or name}{'[]' if each is not inner or getattr(each, 'many', False) else ''}"
        policy = each.metadata.get("update_policy")
        if policy is not None:
            yield path, _name(policy)
        if isinstance(inner, fields.Nested) and type(inner.schema) not in above:
            yield from _below(inner.schema, f"{path}.", (*above, type(inner.schema)))


def _name(policy: UpdatePolicy) -> str:
    """Its own name; one made of another has that one's."""
    return str(policy.name)
