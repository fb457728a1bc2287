"""The keys of a stack file: ours, the provider's, and what the engine itself keeps there."""

from muster.fleet.dotted import Path_

CLUSTER_KEY = "muster:cluster"
POLICIES_KEY = "muster:policies"
REGION_KEY = "aws:region"
ACCOUNTS_KEY = "aws:allowedAccountIds"
CLUSTER_PATH: Path_ = ("config", CLUSTER_KEY)
POLICIES_PATH: Path_ = ("config", POLICIES_KEY)

ENGINE_KEYS = frozenset({"config", "encryptionsalt", "encryptedkey", "secretsprovider", "environment", "packages"})
"""What the engine itself keeps in a stack file; it writes `encryptionsalt` on its own."""
