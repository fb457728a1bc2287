"""A hop limit that lets pods through."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 1}
    workers(world, a_template(world, metadata_options=options))


def failing() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 2}
    workers(world, a_template(world, metadata_options=options))
