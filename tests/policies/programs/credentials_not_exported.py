"""A kubeconfig that everybody reads who reads the state."""

import json

import pulumi

from tests.policies.programs.world import World, a_template, a_world, workers

AT = {"theirs-dev"}


def kubeconfig(world: World) -> pulumi.Output[str]:
    def text(known: list[str]) -> str:
        cluster = {"server": known[0], "certificate-authority-data": "Y2E="}
        user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "aws", "args": [known[1]]}}
        clusters, users = [{"name": "ml", "cluster": cluster}], [{"name": "ml", "user": user}]
        return json.dumps({"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users})

    return pulumi.Output.all(world.cluster.endpoint, world.cluster.name).apply(text)


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("kubeconfig", pulumi.Output.secret(kubeconfig(world)))
    pulumi.export("region", "us-west-2")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("kubeconfig", kubeconfig(world))
