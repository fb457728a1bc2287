"""Tests of muster/blueprint."""
