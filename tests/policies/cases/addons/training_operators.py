"""Operators that own the same kinds of jobs, or do not know them."""

from tests.factories import a_fleet
from tests.policies.addons import (
    a_manifest,
    a_second,
    lean,
    of_hyperpod,
)
from tests.policies.case import cases

# one-owner-of-mpijobs, one-training-operator, training-operator-...


cases(
    the_mpi_operator_and_hyperpods=lambda: a_second(lean(**{"mpi-operator": {"enabled": True}}), {"mpi-operator": {}}),
)


cases(
    two_training_operators=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), of_hyperpod(trainingOperators={"enabled": True})
    ),
)
