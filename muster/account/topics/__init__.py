"""Every topic that an account is asked about, one file each."""

from muster.account.topic import Topic
from muster.account.topics.identity import IDENTITY
from muster.account.topics.network import NETWORK
from muster.account.topics.offerings import OFFERINGS
from muster.account.topics.own_images import OWN_IMAGES
from muster.account.topics.reservations import RESERVATIONS
from muster.account.topics.security_groups import SECURITY_GROUPS

TOPICS: tuple[Topic, ...] = (
    IDENTITY,
    RESERVATIONS,
    OFFERINGS,
    NETWORK,
    SECURITY_GROUPS,
    OWN_IMAGES,
)
"""In the order in which people read the answers."""
