"""HyperPod's inference operator and the CSI driver for S3: their roles, which pods get by the OIDC provider."""

import json
from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.installation_order import install_order
from muster.addons.values import known_values
from muster.config.description.addons import options_of
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.offline.recording import Recording
from muster.unknown import UNKNOWN
from tests.addons.catalogue.test_hyperpod import ADDON, POD_IDENTITY, context
from tests.addons.contexts import REQUIRED, a_context
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


def test_it_comes_after_what_it_needs() -> None:
    turns = [turn.addon.name for turn in install_order(context("hyperpod-inference", *NEEDED))]
    assert turns.index("hyperpod-inference") > max(map(turns.index, NEEDED))


def test_its_configuration_names_its_roles() -> None:
    """As the guide writes it; the ARNs are those of the roles that are registered."""
    made = deployed()
    addon = one(made, ADDON, "hyperpod-inference")
    roles = {
        each.name: each.urn
        for each in made.registrations
        if each.type == "aws:iam/role:Role" and "AssumeRoleWithWebIdentity" in str(each.inputs["assumeRolePolicy"])
    }
    assert set(roles) == {"hyperpod-inference-controller-manager", "aws-load-balancer-controller", "keda-operator"}
    given = json.loads(addon.inputs["configurationValues"])
    assert given["tlsCertificateS3Bucket"] == OWN["tls-bucket"]
    assert set(given) == {"executionRoleArn", "hyperpodClusterArn", "alb", "keda", "tlsCertificateS3Bucket"}
    assert ":role/aws-load-balancer-controller" in given["alb"]["serviceAccount"]["roleArn"]
    associated = [each.name for each in made.registrations if each.type == POD_IDENTITY]
    assert not [name for name in associated if name.startswith("hyperpod-inference")]


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


def test_a_bucket_of_another_name_needs_more_permissions() -> None:
    """The managed policy covers hyperpod-tls-*."""
    usual, other = deployed(), deployed(hyperpod_inference={"tls-bucket": "certificates"})
    policies = [
        [each for each in made.registrations if each.type == "aws:iam/rolePolicy:RolePolicy" and each.name == OPERATOR]
        for made in (usual, other)
    ]
    assert [len(each) for each in policies] == [0, 1]
    assert "arn:aws:s3:::certificates/*" in policies[1][0].inputs["policy"]


OPERATOR = "hyperpod-inference-controller-manager"


def test_what_only_aws_knows_is_unknown_in_the_blueprint() -> None:
    values = known_values(CATALOGUE["hyperpod-inference"], context("hyperpod-inference"))
    assert values["hyperpodClusterArn"] is UNKNOWN
    assert values["tlsCertificateS3Bucket"] == OWN["tls-bucket"]


def test_of_another_stacks_operator_only_the_version_is_known() -> None:
    (read,) = options_of({"hyperpod-inference": "v1.5.0-eksbuild.1"}).values()
    there = replace(a_context(hyperpod_inference=read), elsewhere=frozenset({"hyperpod-inference"}))
    assert known_values(CATALOGUE["hyperpod-inference"], there) == {}


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


@pytest.mark.parametrize(
    ("others", "resource"),
    [
        ((), "arn:{partition}:aps:{region}:*:workspace/*"),
        (("hyperpod-observability",), REQUIRED["hyperpod-observability"]["workspace"]),
    ],
)
def test_keda_queries_the_workspace_of_the_cluster(others: tuple[str, ...], resource: str) -> None:
    every = CATALOGUE["hyperpod-inference"].permissions(context("hyperpod-inference", *NEEDED, *others))
    (made,) = (each for each in every if each.service_account == "keda-operator")
    (query,) = (each for each in made.statements if "aps:QueryMetrics" in each.actions)
    assert query.resources == (resource,)
