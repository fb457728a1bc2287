"""Capacity Blocks: in descriptions, and in programs of other teams."""
