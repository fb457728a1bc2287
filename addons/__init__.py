"""The Kubernetes add-on manager: a catalogue of add-ons, one a file, and their installation."""
