"""What only AWS knows of a HyperPod cluster: names to fill in, and where each comes from. Pure.

The names are written as a shell, and `envsubst`, read them: ``${EKS_CLUSTER_ARN}``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from muster.fleet.blueprint import Blueprint
from muster.fleet.derive.refs import BUNDLE_REF, CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.hyperpod.definition import Given
from muster.fleet.resources import Ref, Reference
