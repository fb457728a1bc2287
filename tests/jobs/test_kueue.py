"""Kueue's quotas: what fits is let in, what does not is named with the arithmetic, what is not known is not judged."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.catalogue import MalformedJob, roles_of
from muster.jobs.queue_admission import Admission, Shortfall, admission
from tests.jobs.documents import (
    a_batch_job,
    a_container,
    a_job_set,
    a_replicated,
    a_replicated_job,
    a_template,
    a_volcano_job,
    an_mpi_job,
)

LABEL = {"kueue.x-k8s.io/queue-name": "team"}
GPU, EFA = "nvidia.com/gpu", "vpc.amazonaws.com/efa"


def queued(job: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """The job, sent to the queue `team`."""
    return {**job, "metadata": {**job["metadata"], "labels": LABEL, **metadata}}


def a_queued_job(pods: int = 2, asked: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A Job of so many pods, which ask a GPU each unless a test says otherwise."""
    template = a_template(containers=[a_container(resources={"requests": asked or {GPU: 1}})], **spec)
    return queued(a_batch_job(parallelism=pods, completions=pods, template=template))


def a_local_queue(namespace: str = "default", **spec: Any) -> dict[str, Any]:
    """`team`, which leads to the ClusterQueue `gpus`."""
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "LocalQueue",
        "metadata": {"name": "team", "namespace": namespace},
        "spec": {"clusterQueue": "gpus", **spec},
    }


def flavors(**quotas: Any) -> list[dict[str, Any]]:
    """Flavor -> quota of GPUs, or resource -> quota; with `borrowingLimit` and the like as a mapping."""
    return [
        {"name": name, "resources": [{"name": resource, **_quota(each)} for resource, each in _of(quota).items()]}
        for name, quota in quotas.items()
    ]


def _of(quota: Any) -> dict[str, Any]:
    return quota if isinstance(quota, dict) else {GPU: quota}


def _quota(quota: Any) -> dict[str, Any]:
    return quota if isinstance(quota, dict) else {"nominalQuota": quota}


def a_cluster_queue(name: str = "gpus", *groups: list[dict[str, Any]], version: str = "v1beta1", **spec: Any) -> Any:
    """A ClusterQueue for every namespace, with these flavors a group of resources."""
    covered = [
        {"coveredResources": [each["name"] for each in group[0]["resources"]] if group else [GPU], "flavors": group}
        for group in groups
    ]
    return {
        "apiVersion": f"kueue.x-k8s.io/{version}",
        "kind": "ClusterQueue",
        "metadata": {"name": name},
        "spec": {"namespaceSelector": {}, "resourceGroups": covered, **spec},
    }


def a_flavor(name: str = "p5", **spec: Any) -> dict[str, Any]:
    """A ResourceFlavor."""
    return {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ResourceFlavor", "metadata": {"name": name}, "spec": spec}


TAINT = {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}
OBJECTS: list[dict[str, Any]] = [
    a_local_queue(),
    a_cluster_queue("gpus", flavors(p5={GPU: {"nominalQuota": 1, "borrowingLimit": 1}}), cohort="all"),
    a_cluster_queue("others", flavors(p5={GPU: {"nominalQuota": 4, "lendingLimit": 3}}), cohort="all"),
    a_flavor(nodeLabels={"type": "p5"}, nodeTaints=[TAINT], tolerations=[{"operator": "Exists"}]),
    {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Cohort", "metadata": {"name": "all"}, "spec": {}},
]


def judge(job: dict[str, Any], *objects: dict[str, Any]) -> Admission:
    found = admission(roles_of(job), [a_local_queue(), a_flavor(), a_flavor("p4"), *objects])
    assert found is not None
    return found


@given(st.integers(0, 20), st.integers(0, 8), st.integers(0, 100))
def test_one_flavor_without_a_cohort(pods: int, each: int, quota: int) -> None:
    """It is let in exactly where all its pods together ask no more than the quota."""
    found = judge(a_queued_job(pods, {GPU: each}), a_cluster_queue("gpus", flavors(p5=quota)))
    assert found.admitted is (pods * each <= quota)
    short = () if found.admitted else (Shortfall("worker", GPU, "p5", pods * each, quota),)
    assert found.shortfalls == short


@given(
    st.integers(1, 60),
    st.integers(0, 20),
    st.integers(0, 20),
    st.none() | st.integers(0, 20),
    st.none() | st.integers(0, 20),
)
def test_borrowing(asked: int, own: int, theirs: int, borrowing: int | None, lending: int | None) -> None:
    """In a cohort the others' quota counts, as far as they lend and the queue may borrow; a limit of the queue's own
    lending takes nothing from itself."""
    limits = {"borrowingLimit": borrowing} if borrowing is not None else {}
    lent = {"lendingLimit": lending} if lending is not None else {}
    found = judge(
        a_queued_job(asked),
        a_cluster_queue(
            "gpus", flavors(p5={GPU: {"nominalQuota": own, **limits, "lendingLimit": own // 2}}), cohort="all"
        ),
        a_cluster_queue(
            "others", flavors(p5={GPU: {"nominalQuota": theirs, **lent}}), version="v1beta2", cohortName="all"
        ),
        a_cluster_queue("alone", flavors(p5=100)),
        a_cluster_queue("elsewhere", flavors(p5=100), cohort="another"),
    )
    lendable = theirs if lending is None else min(theirs, lending)
    most = own + (lendable if borrowing is None else min(lendable, borrowing))
    assert found.admitted is (asked <= most)
    if not found.admitted:
        assert [each.quota for each in found.shortfalls] == [most]
        bound = borrowing is not None and borrowing <= lendable
        assert ("of the queues given of cohort 'all'" in found.said) is not bound


@pytest.mark.parametrize(
    ("pods", "borrowing", "admitted"), [(2, None, True), (3, None, None), (3, 1, None), (4, 1, False), (3, 0, False)]
)
def test_a_queue_alone_of_its_cohort(pods: int, borrowing: int | None, admitted: bool | None) -> None:
    """Others may lend, and are not in the file: nobody says that there is too little, but for what the queue may not
    borrow whoever lends."""
    limit = {"borrowingLimit": borrowing} if borrowing is not None else {}
    found = judge(
        a_queued_job(pods), a_cluster_queue("gpus", flavors(p5={GPU: {"nominalQuota": 2, **limit}}), cohort="all")
    )
    assert found.admitted is admitted
    if admitted is None:
        assert found.said == (
            "not judged: the other queues of cohort 'all', which may lend, are not given; put them into the same file"
        )


def test_a_flavor_that_is_enough_needs_no_others() -> None:
    """What others of the cohort would lend of another one does not matter then."""
    queue = a_cluster_queue("gpus", flavors(p5=2, p4=9), cohort="all")
    assert judge(a_queued_job(4), queue).admitted is True


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_deployment_is_let_in_pod_by_pod(pods: int, first: int, second: int) -> None:
    """Each pod is a workload of its own, with a flavor of its own; a gang gets one flavor or none."""
    template = a_template(containers=[a_container(resources={"requests": {GPU: 1}})])
    deployment, gang = (
        queued(a_replicated(kind, replicas=pods, template=template)) for kind in ("Deployment", "StatefulSet")
    )
    queue = a_cluster_queue("gpus", flavors(p5=first, p4=second))
    found = judge(deployment, queue)
    assert found.admitted is (pods <= first + second)
    if not found.admitted and first + second:
        assert f"lets in {first + second} of its {pods} pods at a time: " in found.said
    assert judge(gang, queue).admitted is (pods <= max(first, second))


def test_a_namespace_s_default_queue() -> None:
    """Jobs that name none go to the LocalQueue `default` of their namespace, if Kueue manages such jobs."""
    job = a_queued_job()
    del job["metadata"]["labels"]
    default = {**a_local_queue(), "metadata": {"name": "default", "namespace": "default"}}
    queue = a_cluster_queue("gpus", flavors(p5=1))
    found = admission(roles_of(job), [default, a_flavor(), queue])
    assert found is not None
    assert (found.queue, found.cluster_queue, found.admitted) == ("default", "gpus", False)
    elsewhere = {**default, "metadata": {"name": "default", "namespace": "research"}}
    assert admission(roles_of(job), [elsewhere, a_local_queue(), a_flavor(), queue]) is None
    assert admission(roles_of(a_volcano_job()), [default, a_flavor(), queue]) is None
    named = admission(roles_of(a_queued_job(1)), [default, a_local_queue(), a_flavor(), queue])
    assert named is not None
    assert named.queue == "team"


def test_the_launcher_of_an_mpi_job_takes_its_flavor_first() -> None:
    """As Kueue orders the two: what it took the workers lack."""
    job = queued(an_mpi_job())
    for replica in job["spec"]["mpiReplicaSpecs"].values():
        replica["template"] = a_template(containers=[a_container(resources={"limits": {GPU: 1}})])
    found = judge(job, a_cluster_queue("gpus", flavors(p5=2)))
    assert found.shortfalls == (Shortfall("worker", GPU, "p5", 3, 2),)


@given(st.integers(1, 20), st.integers(0, 20), st.integers(0, 20))
def test_the_first_flavor_that_has_room(pods: int, first: int, second: int) -> None:
    """A set of pods is never split over flavors; all that were too small are named."""
    found = judge(a_queued_job(pods), a_cluster_queue("gpus", flavors(p5=first, p4=second)))
    assert found.admitted is (pods <= max(first, second))
    if found.admitted:
        assert found.said == f"ClusterQueue gpus has the quota (flavors: {'p5' if pods <= first else 'p4'})"
    else:
        assert [(each.flavor, each.quota) for each in found.shortfalls] == [("p5", first), ("p4", second)]


def test_roles_take_from_one_quota() -> None:
    """What one set of pods took is not there for the next: 1 + 4 GPUs are more than 4, and the second is short."""
    job = queued(a_job_set(*(a_replicated_job(name, pods) for name, pods in (("driver", 1), ("workers", 4)))))
    for replicated in job["spec"]["replicatedJobs"]:
        replicated["template"]["spec"]["template"] = a_template(
            containers=[a_container(resources={"limits": {GPU: 1}})]
        )
    assert judge(job, a_cluster_queue("gpus", flavors(p5=5))).admitted is True
    found = judge(job, a_cluster_queue("gpus", flavors(p5=4)))
    assert found.shortfalls == (Shortfall("workers", GPU, "p5", 5, 4),)
    assert found.said == (
        "ClusterQueue gpus keeps it out: workers: 5 nvidia.com/gpu asked, flavor 'p5' has 4; "
        "ask for less, or raise its quota"
    )
    assert judge(job, a_cluster_queue("gpus", flavors(p5=1, p4=4))).admitted is True, "each role has its own flavor"


def test_a_resource_that_is_not_covered() -> None:
    """Kueue never admits it; pods are counted only where they are covered."""
    asked = {GPU: 1, EFA: 4, "memory": "2Gi"}
    found = judge(a_queued_job(2, asked), a_cluster_queue("gpus", flavors(p5=2)))
    assert [(each.resource, each.flavor, each.asked) for each in found.shortfalls] == [
        ("memory", None, 4 * 2**30),
        (EFA, None, 8),
    ]
    assert "worker: 4Gi memory asked, which the queue does not cover" in found.said


def test_pods_count_where_they_are_covered() -> None:
    """As Kueue's own resource `pods`."""
    queue = a_cluster_queue("gpus", flavors(p5={GPU: 9, "pods": 2}))
    assert judge(a_queued_job(2), queue).admitted is True
    assert judge(a_queued_job(3), queue).shortfalls == (Shortfall("worker", "pods", "p5", 3, 2),)


def test_groups_of_resources_have_their_own_flavors() -> None:
    """CPU of one kind, GPUs of another."""
    groups = flavors(p4={"cpu": "1500m"}), flavors(p5=2)
    assert judge(a_queued_job(2, {GPU: 1, "cpu": "0.75"}), a_cluster_queue("gpus", *groups)).admitted is True
    found = judge(a_queued_job(2, {GPU: 1, "cpu": 1}), a_cluster_queue("gpus", *groups))
    assert found.shortfalls == (Shortfall("worker", "cpu", "p4", 2000, 1500),)
    assert "2 cpu asked, flavor 'p4' has 1500m" in found.said


EXISTS = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
EQUAL = [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}]


def _affinity(*terms: list[dict[str, Any]]) -> dict[str, Any]:
    listed = {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": listed}}}


def _type(operator: str, *values: str) -> list[dict[str, Any]]:
    return [{"key": "type", "operator": operator, "values": list(values)}]


OTHER = [{"key": "zone", "operator": "In", "values": ["a"]}]


@pytest.mark.parametrize(
    ("flavor", "pod", "fits"),
    [
        ({"nodeTaints": [TAINT]}, {}, False),
        ({"nodeTaints": [{**TAINT, "effect": "PreferNoSchedule"}]}, {}, True),
        ({"nodeTaints": [TAINT]}, {"tolerations": EXISTS}, True),
        ({"nodeTaints": [TAINT]}, {"tolerations": EQUAL}, True),
        ({"nodeTaints": [TAINT]}, {"tolerations": [{**EQUAL[0], "value": "false"}]}, False),
        ({"nodeTaints": [TAINT]}, {"tolerations": [{**EQUAL[0], "effect": "NoExecute"}]}, False),
        ({"nodeTaints": [TAINT]}, {"tolerations": [{"operator": "Exists"}]}, True),
        ({"nodeTaints": [TAINT], "tolerations": EXISTS}, {}, True),
        ({"nodeLabels": {"type": "p5"}}, {"nodeSelector": {"type": "p5", "zone": "a"}}, True),
        ({"nodeLabels": {"type": "p5"}}, {"nodeSelector": {"type": "p4"}}, False),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("In", "p4", "p5")), True),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("NotIn", "p5")), False),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("DoesNotExist")), False),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("Exists")), True),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("In", "p4"), _type("In", "p5")), True),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("In", "p4"), OTHER), True),
        ({"nodeLabels": {"type": "5"}}, _affinity(_type("Gt", "4")), True),
        ({"nodeLabels": {"type": "5"}}, _affinity(_type("Lt", "4")), False),
        ({"nodeLabels": {"type": "p5"}}, _affinity(_type("Lt", "4")), False),
    ],
)
def test_a_flavor_is_for_pods_that_may_go_to_its_nodes(flavor: dict[str, Any], pod: dict[str, Any], fits: bool) -> None:
    """Taints must be tolerated, labels selected; keys that the flavor has no label for decide nothing."""
    objects = [a_local_queue(), a_cluster_queue("gpus", flavors(p5=9)), a_flavor(**flavor)]
    found = admission(roles_of(a_queued_job(**pod)), objects)
    assert found is not None
    assert found.admitted is fits
    assert [each.flavor for each in found.shortfalls] == ([] if fits else [None])


def test_no_queue_no_answer() -> None:
    """Who names none is not Kueue's."""
    assert admission(roles_of(a_batch_job()), OBJECTS) is None


@pytest.mark.parametrize(
    ("job", "objects", "said"),
    [
        (a_queued_job(), [], "not judged: the LocalQueue 'team' in namespace 'default' is not given; put it"),
        (
            a_queued_job(),
            [{**a_local_queue(), "metadata": {"name": "taem"}}],
            "'team' in namespace 'default' is not given; put it into the same file; did you mean 'taem'?",
        ),
        (
            a_queued_job(),
            [a_local_queue("research")],
            "is not given; put it into the same file (one of that name is in research)",
        ),
        (a_queued_job(), [a_local_queue()], "not judged: the ClusterQueue 'gpus' is not given"),
        (
            a_queued_job(),
            [a_local_queue(), a_cluster_queue("gpus", flavors(p5=2))],
            "not judged: the ResourceFlavor 'p5' is not given",
        ),
        (
            a_queued_job(),
            [
                a_local_queue(),
                a_flavor(),
                a_cluster_queue("gpus", flavors(p5=2), namespaceSelector={"matchLabels": {"team": "ml"}}),
            ],
            "not judged: the label 'team' of the Namespace 'default' is not known",
        ),
        (
            a_queued_job(),
            [
                a_local_queue(),
                a_flavor(),
                a_cluster_queue("gpus", flavors(p5=2), cohort="all"),
                {**OBJECTS[4], "spec": {"parentName": "everything"}},
            ],
            "not judged: the cohort 'all' is part of another one",
        ),
        (queued(a_volcano_job()), OBJECTS, "not judged: Kueue does not manage Jobs of batch.volcano.sh/v1alpha1"),
    ],
)
def test_what_is_not_given_is_not_judged(job: dict[str, Any], objects: list[dict[str, Any]], said: str) -> None:
    """Neither yes nor no, and what was missing."""
    found = admission(roles_of(job), objects)
    assert found is not None
    assert found.admitted is None
    assert said in found.said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"stopPolicy": "Hold"}, "ClusterQueue gpus is stopped (stopPolicy: Hold); set it to None"),
        ({"namespaceSelector": None}, "takes jobs of no namespace: it has no namespaceSelector"),
        (
            {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ml"}}},
            "ClusterQueue gpus takes no jobs of namespace 'default'; change its namespaceSelector",
        ),
    ],
)
def test_a_queue_that_takes_no_jobs(changed: dict[str, Any], said: str) -> None:
    """Whatever its quota: stopped, or not for this namespace."""
    found = judge(a_queued_job(), a_cluster_queue("gpus", flavors(p5=9), **changed))
    assert found.admitted is False
    assert said in found.said


def test_a_namespace_that_stands_beside() -> None:
    """Its labels are known then, those it lacks too."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": {"team": "ml"}}}
    for team, admitted in (("ml", True), ("web", False)):
        queue = a_cluster_queue("gpus", flavors(p5=9), namespaceSelector={"matchLabels": {"team": team}})
        assert judge(a_queued_job(), queue, namespace).admitted is admitted


def test_the_cohorts_own_quota() -> None:
    """A Cohort may have some that belongs to no queue."""
    cohort = {**OBJECTS[4], "spec": {"resourceGroups": [{"coveredResources": [GPU], "flavors": flavors(p5=3)}]}}
    queue = a_cluster_queue("gpus", flavors(p5=1), cohort="all")
    assert judge(a_queued_job(4), queue, cohort).admitted is True
    assert judge(a_queued_job(5), queue, cohort).admitted is False


def test_an_mpi_job_of_two_nodes() -> None:
    """The launcher, which asks nothing, takes no quota."""
    amounts = {GPU: 16, EFA: 64, "memory": "64000Mi", "hugepages-2Mi": "10Gi"}
    queue = a_cluster_queue("gpus", flavors(p5=amounts))
    assert judge(queued(an_mpi_job()), queue).admitted is True
    queue = a_cluster_queue("gpus", flavors(p5={**amounts, EFA: 63}))
    assert judge(queued(an_mpi_job()), queue).shortfalls == (Shortfall("worker", EFA, "p5", 64, 63),)


def test_an_amount_that_is_none() -> None:
    """It is named with its place."""
    with pytest.raises(MalformedJob, match=r"ClusterQueue gpus.spec.resourceGroups\[0\].flavors\[0\].resources\[0\]"):
        judge(a_queued_job(), a_cluster_queue("gpus", flavors(p5="many")))
