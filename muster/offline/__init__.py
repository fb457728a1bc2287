"""Runs the real Pulumi program without an engine, and records what it registers."""
