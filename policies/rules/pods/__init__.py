"""Pods, whichever program registers them."""
