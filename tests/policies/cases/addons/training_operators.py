"""Operators that own the same kinds of jobs, or do not know them."""

from muster.fleet.resources import Fleet
from tests.factories import a_fleet
from tests.policies.addons import (
    HYPERPOD,
    NOBODY_SAYS,
    a_manifest,
    a_second,
    beside_plugins,
    conflict,
    lean,
    of_hyperpod,
    operating,
    urn,
)
from tests.policies.case import case

# one-owner-of-mpijobs, one-training-operator, training-operator-...

MPI, TRAINING = "one-owner-of-mpijobs", "one-training-operator"
RESUMES, SCHEMES = "training-operator-resumes-jobs", "training-operator-knows-schemes"


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.mpi-operator")
def the_mpi_operator_and_hyperpods() -> Fleet:
    bundled = lean(**{"mpi-operator": {"enabled": True}})
    return a_second(bundled, {"mpi-operator": {}})


@conflict()
def the_mpi_operator_and_the_rest_of_hyperpods() -> Fleet:
    return a_second(lean(), {"mpi-operator": {}})


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.training-operators.schemes")
def hyperpods_training_operator_with_mpijobs() -> Fleet:
    own = {"trainingOperators": {"enabled": True}, "training-operators": {"schemes": ["pytorchjob", "mpijob"]}}
    return a_second(lean(**own), {"mpi-operator": {}})


@conflict(f"{MPI} @ addons.charts.our-hyperpod-helm-chart.values.training-operators.schemes")
def both_operators_of_hyperpod_with_mpijobs() -> Fleet:
    own = {
        "trainingOperators": {"enabled": True},
        "training-operators": {"schemes": ["pytorchjob", "mpijob"]},
        "mpi-operator": {"enabled": True},
    }
    return beside_plugins(lean(**own))


@case(f"{TRAINING} @ {urn(HYPERPOD)}", f"{RESUMES} @ addons.training-operator.version")
def two_training_operators() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), of_hyperpod(trainingOperators={"enabled": True}))


@conflict(f"{TRAINING} @ addons.charts.our-hyperpod-helm-chart.values.training-operators")
def our_training_operator_and_hyperpods() -> Fleet:
    own = {"trainingOperators": {"enabled": True}, "job-auto-restart": {"enabled": False}}
    return a_second(lean(**own), {"training-operator": {}})


@conflict(f"{RESUMES} @ addons.training-operator.version")
def our_training_operator_beside_auto_resume() -> Fleet:
    return a_second(lean(), {"training-operator": {}})


@conflict()
def our_training_operator_of_a_stated_version_beside_auto_resume() -> Fleet:
    return a_second(lean(), {"training-operator": {"version": "v1.8.1"}})


@case()
def a_training_operator_that_is_stated() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.8.1"), of_hyperpod())


@case(f"{RESUMES} @ addons.training-operator.version")
def a_training_operator_that_is_not_stated() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), of_hyperpod())


@case()
def a_training_operator_where_nothing_resumes() -> Fleet:
    hyperpod = of_hyperpod(**{"job-auto-restart": {"enabled": False}})
    return a_fleet(a_manifest("training-operator", "v1.9.4"), hyperpod)


@conflict(f"{SCHEMES} @ addons.charts.our-hyperpod-helm-chart.values.training-operators")
def a_newer_image_with_the_schemes_of_old() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-5170a36"}))


@conflict()
def an_image_of_the_schemes_time() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-04f9f13"}))


@conflict()
def a_newer_image_with_schemes_of_its_own() -> Fleet:
    return beside_plugins(operating(image={"tag": "v1-93c5489"}, schemes=["pytorchjob"]))


@conflict(unjudged=(*NOBODY_SAYS, f"{SCHEMES} @ addons.charts.our-hyperpod-helm-chart"))
def an_image_of_ones_own_with_the_schemes_of_old() -> Fleet:
    return beside_plugins(operating(image={"tag": "ours"}))


@case(unjudged=(f"{RESUMES} @ {urn(HYPERPOD)}",))
def an_image_of_ones_own_that_should_resume() -> Fleet:
    own = {"image": {"tag": "ours"}, "schemes": ["pytorchjob"]}
    return a_fleet(of_hyperpod(trainingOperators={"enabled": True}, **{"training-operators": own}))
