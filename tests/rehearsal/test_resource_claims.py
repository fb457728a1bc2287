"""Claims of dynamic resource allocation: which pods name, which are not there, what is sent without them."""

from typing import Any

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.resource_claims import (
    VERSION,
    claim_references,
    missing_claims_cause,
    of_compute_domains,
)
from tests.jobs.documents import a_batch_job, a_container, a_template

TEMPLATE: dict[str, Any] = {
    "apiVersion": VERSION,
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "gpus"},
    "spec": {},
}
DOMAIN: dict[str, Any] = {
    "kind": "ComputeDomain",
    "metadata": {"name": "d"},
    "spec": {"channel": {"resourceClaimTemplate": {"name": "channel"}}},
}


def a_job() -> dict[str, Any]:
    """A job whose pods name a template, a claim, and one that a ComputeDomain's driver makes."""
    claims = [
        {"name": "a", "resourceClaimTemplateName": "gpus"},
        {"name": "b", "resourceClaimName": "shared"},
        {"name": "c", "resourceClaimTemplateName": "channel"},
    ]
    container = a_container(resources={"claims": [{"name": "a"}], "limits": {"cpu": 1}})
    return a_batch_job(template=a_template(containers=[container], resourceClaims=claims))


def test_a_claim_of_another_namespace_is_not_there() -> None:
    """Kubernetes looks in the pod's namespace alone; both namespaces are told."""
    job, shared = (
        a_job(),
        {"apiVersion": VERSION, "kind": "ResourceClaim", "metadata": {"name": "shared", "namespace": "team"}},
    )
    given = [DOMAIN, TEMPLATE, shared]
    cause = missing_claims_cause(claim_references(roles_of(job)), given)
    assert cause is not None
    assert "'shared' in namespace 'default'" in cause.said
    assert "'gpus'" not in cause.said
    there = [{**each, "metadata": {**each["metadata"], "namespace": "team"}} for each in given]
    job["metadata"]["namespace"] = "team"
    assert missing_claims_cause(claim_references(roles_of(job)), there) is None
    assert missing_claims_cause(claim_references(roles_of(job)), given) is not None


def test_a_compute_domains_template_requests_nothing() -> None:
    """The claims of GPUs in the file stay."""
    (found,) = of_compute_domains([DOMAIN, TEMPLATE])
    assert (found["metadata"]["name"], found["spec"]) == ("channel", {"spec": {}})
