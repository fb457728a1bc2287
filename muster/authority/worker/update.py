"""An update by ParallelCluster's own policies: what the Lambda checks before it changes a cluster."""

import os
from types import SimpleNamespace
from typing import Any

from pcluster.config.config_patch import ConfigPatch


def update(before: dict[str, Any], after: dict[str, Any], *, running: bool) -> dict[str, Any]:
    """Whether a cluster takes the change, and each key that changes with its policy.

    Args:
        before: the configuration that it has.
        after: the one that it is to have.
        running: whether compute nodes run.
    """
    os.environ["AWS_DEFAULT_REGION"] = before["Region"]  # some policies ask whether it is an isolated one
    cluster: Any = SimpleNamespace(
        name="cluster",
        stack_name="cluster",
        has_running_capacity=lambda *_, **__: running,
        has_running_login_nodes=lambda *_, **__: False,
        head_node_instance=SimpleNamespace(state="running"),
    )
    patch = ConfigPatch(cluster, before, after)
    allowed, _ = patch.check()
    changes = [
        [ConfigPatch.build_config_param_path(each.path, each.key), each.update_policy.name] for each in patch.changes
    ]
    return {"allowed": allowed, "changes": changes}
