"""The policy pack: the documented rules, the views that let them judge any Pulumi program, and the analyzer."""
