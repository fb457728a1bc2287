"""Pulumi components on a mocked engine."""
