"""A key of AWS's in user data."""

from base64 import b64encode

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def told(line: str) -> str:
    """A script of the nodes with this line in it."""
    return b64encode(f"#!/bin/bash\n{line}\n# maxPods: 205\nmaxPods: 205\n".encode()).decode()


def passing() -> None:
    world = a_world()
    reads = "export TOKEN=$(aws secretsmanager get-secret-value --secret-id training/registry --query SecretString)"
    workers(world, a_template(world, user_data=told(reads)))


def failing() -> None:
    world = a_world()
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workers(world, a_template(world, user_data=told(f"export AWS_ACCESS_KEY_ID={key}")))
