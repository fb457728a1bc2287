"""Reads the things that rules judge from the resources that a Pulumi program registers."""

from policies.views.fleet import fleet_of
from policies.views.unread import told_unread, unread

__all__ = ["fleet_of", "told_unread", "unread"]
