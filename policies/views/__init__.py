"""Reads the things that rules judge from the resources that a Pulumi program registers."""

from policies.views.fleet import fleet_of
from policies.views.unread import unread, unread_lines

__all__ = ["fleet_of", "unread", "unread_lines"]
