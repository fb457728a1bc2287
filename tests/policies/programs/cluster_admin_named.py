"""A binding that makes everybody who is logged in administrator."""

import pulumi_kubernetes as kubernetes

from tests.policies.programs.world import a_template, a_world, workers

AT = {"admins"}


def bound_to(group: str) -> None:
    world = a_world()
    workers(world, a_template(world))
    kubernetes.rbac.v1.ClusterRoleBinding(
        "admins",
        role_ref={"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        subjects=[{"kind": "Group", "name": group, "apiGroup": "rbac.authorization.k8s.io"}],
    )


def passing() -> None:
    bound_to("ml-admins")


def failing() -> None:
    bound_to("system:authenticated")
