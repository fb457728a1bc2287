"""A stack's outputs as judged things."""

from muster.fleet.registration import Registration
from muster.fleet.resources import Output, Place, Ref
from muster.fleet.resources.output import STACK_OUTPUT
from policies.views.references import References

STACK = "pulumi:pulumi:Stack"


def outputs(stack: Registration, _: References) -> tuple[Output, ...]:
    """Reads what a program exports, by name."""
    return tuple(
        Output(Ref(STACK_OUTPUT, name), value, name in stack.secrets, Place(stack.urn, f"output {name}"))
        for name, value in sorted(stack.outputs.items())
    )
