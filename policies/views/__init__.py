"""Reads the things that rules judge from the resources that a Pulumi program registers."""

from muster.policies.views.fleet import fleet_of
from muster.policies.views.unread import unread, unread_lines

__all__ = ["fleet_of", "unread", "unread_lines"]
