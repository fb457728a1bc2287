"""Operators that own the same kinds of jobs, or do not know them."""

from muster.fleet.resources import Fleet
from tests.factories import a_fleet
from tests.policies.addons import (
    a_manifest,
    a_second,
    beside_plugins,
    lean,
    of_hyperpod,
    operating,
)
from tests.policies.case import case, cases

# one-owner-of-mpijobs, one-training-operator, training-operator-...


cases(
    the_mpi_operator_and_hyperpods=lambda: a_second(lean(**{"mpi-operator": {"enabled": True}}), {"mpi-operator": {}}),
    the_mpi_operator_and_the_rest_of_hyperpods=lambda: a_second(lean(), {"mpi-operator": {}}),
    hyperpods_training_operator_with_mpijobs=lambda: a_second(
        lean(**{"trainingOperators": {"enabled": True}, "training-operators": {"schemes": ["pytorchjob", "mpijob"]}}),
        {"mpi-operator": {}},
    ),
)


@case
def both_operators_of_hyperpod_with_mpijobs() -> Fleet:
    own = {
        "trainingOperators": {"enabled": True},
        "training-operators": {"schemes": ["pytorchjob", "mpijob"]},
        "mpi-operator": {"enabled": True},
    }
    return beside_plugins(lean(**own))


cases(
    two_training_operators=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), of_hyperpod(trainingOperators={"enabled": True})
    ),
    our_training_operator_and_hyperpods=lambda: a_second(
        lean(**{"trainingOperators": {"enabled": True}, "job-auto-restart": {"enabled": False}}),
        {"training-operator": {}},
    ),
    our_training_operator_beside_auto_resume=lambda: a_second(lean(), {"training-operator": {}}),
    our_training_operator_of_a_stated_version_beside_auto_resume=lambda: a_second(
        lean(), {"training-operator": {"version": "v1.8.1"}}
    ),
    a_training_operator_that_is_stated=lambda: a_fleet(a_manifest("training-operator", "v1.8.1"), of_hyperpod()),
    a_training_operator_that_is_not_stated=lambda: a_fleet(a_manifest("training-operator", "v1.9.4"), of_hyperpod()),
    a_training_operator_where_nothing_resumes=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), of_hyperpod(**{"job-auto-restart": {"enabled": False}})
    ),
    a_newer_image_with_the_schemes_of_old=lambda: beside_plugins(operating(image={"tag": "v1-5170a36"})),
    an_image_of_the_schemes_time=lambda: beside_plugins(operating(image={"tag": "v1-04f9f13"})),
    a_newer_image_with_schemes_of_its_own=lambda: beside_plugins(
        operating(image={"tag": "v1-93c5489"}, schemes=["pytorchjob"])
    ),
    an_image_of_ones_own_with_the_schemes_of_old=lambda: beside_plugins(operating(image={"tag": "ours"})),
)


@case
def an_image_of_ones_own_that_should_resume() -> Fleet:
    own = {"image": {"tag": "ours"}, "schemes": ["pytorchjob"]}
    return a_fleet(of_hyperpod(trainingOperators={"enabled": True}, **{"training-operators": own}))
