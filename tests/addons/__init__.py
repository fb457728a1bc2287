"""Add-ons: values, objects, placement, order of installation."""
