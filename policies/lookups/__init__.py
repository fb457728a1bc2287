"""What several rules look up in a fleet. Rules import this, never each other."""
