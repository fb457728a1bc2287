"""Who may use a role by EKS Pod Identity."""

import json


def pod_trust(namespace: str, service_account: str) -> str:
    """A trust policy for the pods of one service account only, as JSON (EKS user guide, "pod-id-abac")."""
    condition = {
        "StringEquals": {
            "aws:RequestTag/kubernetes-namespace": namespace,
            "aws:RequestTag/kubernetes-service-account": service_account,
        }
    }
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "pods.eks.amazonaws.com"},
        "Action": ["sts:AssumeRole", "sts:TagSession"],
        "Condition": condition,
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})
