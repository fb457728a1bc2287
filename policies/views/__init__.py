"""Reads the things that rules judge from the resources that a Pulumi program registers."""

from policies.views.fleet import fleet_of

__all__ = ["fleet_of"]
