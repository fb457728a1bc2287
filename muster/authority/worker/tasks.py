"""The tasks of the worker, which use the installed package: schema, validators, update policies, updates."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules
from types import SimpleNamespace
from typing import Any

import pcluster.validators
from marshmallow import ValidationError, fields
from pcluster.config import cluster_config  # noqa: F401  (before the validators: they import each other)
from pcluster.config.config_patch import ConfigPatch
from pcluster.config.update_policy import UpdatePolicy
from pcluster.schemas.cluster_schema import ClusterSchema
from pcluster.schemas.imagebuilder_schema import ImageBuilderSchema
from pcluster.validators.common import Validator

from muster.authority.worker.validation import by_package, judge, loaded, schema_messages


def image(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of the schema about a configuration for `pcluster build-image`."""
    try:
        ImageBuilderSchema().load(configuration)
    except ValidationError as refused:
        return list(schema_messages(refused.messages))
    return []


def policies() -> dict[str, str]:
    """Dotted path of a key (``Scheduling.SlurmQueues[].Name``) -> the name of its update policy."""
    return dict(_policies_below(ClusterSchema(cluster_name="name"), "", ()))


def _policies_below(schema: Any, at: str, above: tuple[type, ...]) -> Iterator[tuple[str, str]]:
    for name, each in schema.fields.items():
        inner = each.inner if isinstance(each, fields.List) else each
        path = f"{at}{each.data_key or name}{'[]' if each is not inner or getattr(each, 'many', False) else ''}"
        policy = each.metadata.get("update_policy")
        if policy is not None:
            yield path, _policy_name(policy)
        if isinstance(inner, fields.Nested) and type(inner.schema) not in above:
            yield from _policies_below(inner.schema, f"{path}.", (*above, type(inner.schema)))


def _policy_name(policy: UpdatePolicy) -> str:
    """The name of a policy; derived policies have the name of the original."""
    return str(policy.name)


def validator_index() -> dict[str, str]:
    """Class -> name of its module, for all validators that are not abstract."""
    return {
        name: module
        for module in sorted(each.name for each in iter_modules(pcluster.validators.__path__))
        for name, kind in vars(import_module(f"pcluster.validators.{module}")).items()
        if inspect.isclass(kind)
        and issubclass(kind, Validator)
        and not inspect.isabstract(kind)
        and kind.__module__ == f"pcluster.validators.{module}"
    }


def update(
    before: dict[str, Any], after: dict[str, Any], *, running: bool, login_nodes_running: bool = False
) -> dict[str, Any]:
    """Whether a cluster accepts an update, and each changed key with its update policy.

    Args:
        before: the current configuration.
        after: the new configuration.
        running: whether compute nodes are running.
        login_nodes_running: whether login nodes are running.
    """
    os.environ["AWS_DEFAULT_REGION"] = before["Region"]  # some policies check for an isolated Region
    cluster: Any = SimpleNamespace(
        name="cluster",
        stack_name="cluster",
        has_running_capacity=lambda *_, **__: running,
        has_running_login_nodes=lambda *_, **__: login_nodes_running,
        head_node_instance=SimpleNamespace(state="running"),
    )
    patch = ConfigPatch(cluster, before, after)
    allowed, _ = patch.check()
    changes = [
        [ConfigPatch.build_config_param_path(each.path, each.key), each.update_policy.name] for each in patch.changes
    ]
    return {"allowed": allowed, "changes": changes}


def versions() -> dict[str, str]:
    """The versions of the packages."""
    return {name: version(name) for name in ("aws-parallelcluster", "moto")}


TASKS: Mapping[str, Callable[..., Any]] = {
    "by_package": by_package,
    "image": image,
    "judge": judge,
    "loaded": loaded,
    "policies": policies,
    "roster": validator_index,
    "update": update,
    "versions": versions,
}
