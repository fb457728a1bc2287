"""The files with which a GitOps tool installs add-ons: Argo CD, Flux or helmfile. Pure.

Pulumi then creates only what add-ons have in AWS: roles, and their associations with service accounts.
"""

from collections.abc import Callable, Mapping

from muster.addons.gitops import argo_cd, flux, helmfile
from muster.addons.gitops.parts import Files, Part, Target
from muster.config.description.addons import Installer

WRITERS: Mapping[str, Callable[[tuple[Part, ...], Target], Files]] = {
    Installer.ARGO_CD: argo_cd.files,
    Installer.FLUX: flux.files,
    Installer.HELMFILE: helmfile.files,
}
"""Tool -> writes its files."""
