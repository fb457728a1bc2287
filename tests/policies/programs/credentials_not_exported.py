"""A kubeconfig with a token, that everybody reads who reads the state."""

import json

import pulumi

from tests.policies.programs.world import World, a_template, a_world, workers

AT = {"theirs-dev"}


CALLS = {"exec": {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "aws"}}


def kubeconfig(world: World, user: dict[str, object]) -> pulumi.Output[str]:
    def text(known: list[str]) -> str:
        cluster = {"server": known[0], "certificate-authority-data": "Y2E="}
        clusters, users = [{"name": "ml", "cluster": cluster}], [{"name": "ml", "user": user}]
        return json.dumps({"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users})

    return pulumi.Output.all(world.cluster.endpoint, world.cluster.name).apply(text)


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("kubeconfig", pulumi.Output.secret(kubeconfig(world, CALLS)))
    pulumi.export("region", "us-west-2")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("access", {"users": [{"name": "ml", "user": {"token": "k8s"}}], "clusters": []})
