"""Service monitors, and who installs their kinds."""
