"""The attributes of a resource that is registered with the properties of CloudFormation: of a cluster of PCS."""

from hashlib import sha256
from typing import Any

CLOUD_CONTROL = "aws-native:index:ExtensionResource"


def attributes(identity: str) -> dict[str, Any]:
    """What Cloud Control returns, with the names of CloudFormation."""
    digits = sha256(identity.encode()).hexdigest()[:10]
    endpoint = {"Type": "SLURMCTLD", "PrivateIpAddress": "10.0.0.7", "Port": "6817"}
    return {"Id": f"pcs_{digits}", "Arn": identity, "Status": "ACTIVE", "Endpoints": [endpoint]}
