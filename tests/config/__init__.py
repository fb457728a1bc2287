"""Tests of muster/config."""
