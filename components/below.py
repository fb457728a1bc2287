"""Everything that is registered meanwhile goes below a component."""

from collections.abc import Iterator
from contextlib import contextmanager

import pulumi
from pulumi.runtime.settings import get_root_resource, set_root_resource


@contextmanager
def below(component: pulumi.Resource) -> Iterator[None]:
    """Makes a component the parent of what has none: what the composition root makes stands at the stack's root in a
    program of ours. The SDK keeps the root in a context of its own for each program and each construction."""
    before = get_root_resource()
    set_root_resource(component)
    try:
        yield
    finally:
        set_root_resource(before)  # type: ignore[arg-type]
