"""How the names begin of what Muster makes for a cluster. Pure."""

import re
from hashlib import sha256

from muster.fleet.description.identifiers import LONGEST_CLUSTER_NAME, is_cluster_name

_DIGITS = 6


def stem(cluster_name: str) -> str:
    """The cluster's name, or, where that does not fit the names of buckets, repositories and the like, one made of it.

    An EKS cluster that exists may have capitals, underscores and 100 characters. The digits tell `ML_Prod` from
    `ml-prod`.
    """
    if is_cluster_name(cluster_name):
        return cluster_name
    plain = re.sub("[^a-z0-9]+", "-", cluster_name.lower()).strip("-")
    begins = plain if plain[:1].isalpha() else f"c-{plain}".rstrip("-")
    digest = sha256(cluster_name.encode()).hexdigest()[:_DIGITS]
    return f"{begins[: LONGEST_CLUSTER_NAME - _DIGITS - 1].rstrip('-')}-{digest}"
