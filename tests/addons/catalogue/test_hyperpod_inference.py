"""HyperPod's inference operator and the CSI driver for S3: their roles, which pods get by the OIDC provider."""

import json
from typing import Any

from tests.addons.contexts import REQUIRED
from tests.infra.registered import Registered, registered

NEEDED = ("s3-csi-driver", "fsx-csi-driver", "metrics-server", "cert-manager")
PROVIDER = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"


def deployed(**said: Any) -> Registered:
    """The default description with the operator and what it needs; keys of add-ons have underscores."""
    own = {name.replace("_", "-"): each for name, each in said.items()}
    names = ("hyperpod-inference", *NEEDED)
    return registered({f"addons.{name}": {**REQUIRED.get(name, {}), **own.get(name, {})} for name in names})


def test_both_add_ons_share_one_provider() -> None:
    """Also where the S3 driver has a role."""
    made = deployed(s3_csi_driver={"buckets": ["models"]})
    assert len(made.named(PROVIDER)) == 1
    driver = made.one("aws:eks/addon:Addon", "s3-csi-driver")
    assert "role/s3-csi-driver-sa" in driver.inputs["serviceAccountRoleArn"]


def test_an_existing_provider_is_used() -> None:
    """IAM refuses a second provider for the same issuer."""
    arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/ABC"
    made = deployed(hyperpod_inference={"oidc-provider": arn})
    assert PROVIDER not in made.types
    trust = json.loads(made.one("aws:iam/role:Role", "keda-operator").inputs["assumeRolePolicy"])
    assert trust["Statement"][0]["Principal"] == {"Federated": arn}
