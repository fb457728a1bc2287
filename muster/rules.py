"""The names for rules of your own. They stay the same within a major version of Muster.

A rule is a function that judges one resource::

    def nodes_have_swap_off(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
        if ...:
            yield rule.finding(group, "instance-type", got="what is wrong", change=set_to("p5.48xlarge"))

`rules.yaml` beside its module documents it. The resource is the same whether a description, a Pulumi program or a file
of another tool has it. Reading a value that is not known yet ends the rule with "not evaluated".
"""

from muster.edits import add, lower_to, raise_to, remove, set_to
from muster.finding import Finding, Level, NotEvaluated
from muster.fleet import resources
from muster.fleet.resources import *  # noqa: F403  (the types that rules judge, and their parts)
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown, if_known

__all__ = [
    "Finding",
    "Level",
    "NotEvaluated",
    "NotKnown",
    "Options",
    "Rule",
    "Verdict",
    "add",
    "if_known",
    "lower_to",
    "raise_to",
    "remove",
    "set_to",
]
__all__ += resources.__all__
