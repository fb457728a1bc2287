"""Whatever stands in a file: a shape, or words about what is wrong; never a traceback."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.kinds.catalogue import KINDS, is_job, pods_of, roles_of
from muster.jobs.manifest import MalformedJob
from muster.jobs.pod_requests import pod_requests
from tests.jobs.documents import EVERY_KIND, a_runtime, places, replaced

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["Always", "Worker", "8", "32Gi", "cpu", "", 10**400, "InOrder", "Indexed"]),
)
json = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=8,
)
keys = st.sampled_from(["metadata", "spec", "template", "replicas", "containers", "tasks", "name", "labels"])
like_jobs = st.recursive(
    json, lambda inner: st.dictionaries(keys, inner, max_size=5) | st.lists(inner, max_size=2), max_leaves=12
)


def read(document: Any, beside: Any = ()) -> None:
    try:
        shape = roles_of(document, beside)
        made = pods_of(document)
    except MalformedJob as fault:
        assert str(fault)
        assert "\n" not in str(fault)
        return
    assert is_job(document)
    assert not made or len(made) == shape.pods
    assert shape.goes_on({role.name: role.pods for role in shape.roles})


claimed = st.builds(
    lambda kind, spec, metadata: {"apiVersion": kind[0], "kind": kind[1], "metadata": metadata, "spec": spec},
    st.sampled_from(sorted(KINDS)),
    like_jobs,
    like_jobs,
)


@given(json | claimed)
def test_anything(document: Any) -> None:
    """Nothing else is raised, also where the kind is right and the rest is not."""
    read(document)


@given(st.sampled_from(sorted(EVERY_KIND)), st.booleans(), json, st.data())
def test_anything_in_one_place(kind: str, beside: bool, value: Any, data: st.DataObject) -> None:
    """Where all is right but for one place, of the job or of the runtime that stands beside it."""
    job, runtime = EVERY_KIND["TrainJob" if beside else kind], a_runtime()
    if beside:
        runtime = replaced(runtime, data.draw(st.sampled_from(places(runtime))), value)
    else:
        job = replaced(job, data.draw(st.sampled_from(places(job))), value)
    read(job, [runtime])


@given(like_jobs)
def test_any_pod_spec(spec: Any) -> None:
    """What a pod asks is known, or the spec is malformed."""
    try:
        assert all(number > 0 for number in pod_requests(spec).values())
    except MalformedJob as fault:
        assert str(fault)
