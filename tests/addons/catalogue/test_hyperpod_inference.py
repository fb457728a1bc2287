"""HyperPod's inference operator and the CSI driver for S3: their roles, which pods get by the OIDC provider."""

import json
from typing import Any

import pytest

from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.offline.recording import Recording
from tests.addons.catalogue.test_hyperpod import ADDON
from tests.addons.contexts import REQUIRED
from tests.factories import a_document
from tests.infra.test_lustre import one, recorded

NEEDED = ("s3-csi-driver", "fsx-csi-driver", "metrics-server", "cert-manager")
PROVIDER = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"
OWN = REQUIRED["hyperpod-inference"]


def deployed(**said: Any) -> Recording:
    """The default description with the operator and what it needs; keys of add-ons have underscores."""
    own = {name.replace("_", "-"): each for name, each in said.items()}
    names = ("hyperpod-inference", *NEEDED)
    return recorded({}, {f"addons.{name}": {**REQUIRED.get(name, {}), **own.get(name, {})} for name in names})


def test_a_role_trusts_one_service_account() -> None:
    """The operator's role also trusts SageMaker."""
    made = deployed()
    trusts = {
        name: json.loads(one(made, "aws:iam/role:Role", name).inputs["assumeRolePolicy"])["Statement"]
        for name in ("hyperpod-inference-controller-manager", "keda-operator")
    }
    subjects = {
        name: next(value for key, value in each[0]["Condition"]["StringEquals"].items() if key.endswith(":sub"))
        for name, each in trusts.items()
    }
    assert subjects == {name: f"system:serviceaccount:hyperpod-inference-system:{name}" for name in trusts}
    assert {name: len(each) for name, each in trusts.items()} == {
        "hyperpod-inference-controller-manager": 2,
        "keda-operator": 1,
    }


def test_both_add_ons_share_one_provider() -> None:
    """Also where the S3 driver has a role."""
    made = deployed(s3_csi_driver={"buckets": ["models"]})
    assert len([each for each in made.registrations if each.type == PROVIDER]) == 1
    assert "role/s3-csi-driver-sa" in one(made, ADDON, "s3-csi-driver").inputs["serviceAccountRoleArn"]


def test_an_existing_provider_is_used() -> None:
    """IAM refuses a second provider for the same issuer."""
    arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/ABC"
    made = deployed(hyperpod_inference={"oidc-provider": arn})
    assert not [each for each in made.registrations if each.type == PROVIDER]
    trust = json.loads(one(made, "aws:iam/role:Role", "keda-operator").inputs["assumeRolePolicy"])
    assert trust["Statement"][0]["Principal"] == {"Federated": arn}


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({key: OWN[key] for key in OWN if key != "tls-bucket"}, "tls-bucket"),
        ({key: OWN[key] for key in OWN if key != "load-balancer-policy"}, "load-balancer-policy"),
        ({**OWN, "tls-bucket": "s3://hyperpod-tls-1"}, "tls-bucket"),
        ({**OWN, "load-balancer-policy": "arn:aws:iam::aws:policy/AdministratorAccess"}, "load-balancer-policy"),
        ({**OWN, "oidc-provider": "https://oidc.eks.us-west-2.amazonaws.com/id/ABC"}, "oidc-provider"),
    ],
)
def test_what_a_description_gets_wrong(said: dict[str, Any], path: str) -> None:
    _, found = validate(EksCluster, a_document({"addons": {"hyperpod-inference": said}}))
    assert [each for each, _ in found] == [("addons", "hyperpod-inference", path)]
