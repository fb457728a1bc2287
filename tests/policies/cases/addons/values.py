"""Values of add-ons that no chart takes or reads, and images that are not their chart's."""


# addon-values-have-a-form


# addon-values-known, addon-values-known-nearby


# addon-image-of-its-chart


# addon-image-tag-exists


# addon-version-of-its-form
