"""Rehearsals of batch jobs."""
