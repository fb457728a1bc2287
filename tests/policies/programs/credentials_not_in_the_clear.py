"""A key of AWS's in user data."""

from base64 import b64encode

from tests.policies.programs.world import a_template, a_world, told, workers

AT = {"workers"}

_KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def passing() -> None:
    world = a_world()
    workers(world, a_template(world, user_data=told(205)))


def failing() -> None:
    world = a_world()
    script = f"#!/bin/bash\nexport AWS_ACCESS_KEY_ID={_KEY}\n# maxPods: 205\nmaxPods: 205\n"
    workers(world, a_template(world, user_data=b64encode(script.encode()).decode()))
