"""What a value can come from if the plan does not say it: from something in the scope of its module.

An expression in a module can only use the module's own resources, its inputs, and the outputs of the modules that it
calls (Terraform language, "References to Named Values"). So if a launch template's id is not known yet, and one launch
template is in this scope, the id is of that one.
"""

from collections.abc import Mapping
from functools import cached_property

from muster.sources.terraform.configuration import Configuration
from muster.sources.terraform.document import Document, ModulePath
from muster.sources.terraform.types import NAMES

_ENOUGH = 2
"""Two resources of a type are too many to tell which one it is."""
_CALLS = 3
"""Without any one of three calls, two are left."""

_EVERYTHING = frozenset(NAMES)
_NETWORK = frozenset({"aws_security_group", "aws_default_security_group", "aws_subnet"})
_CAN_NAME: Mapping[str, frozenset[str]] = {
    "aws_cloudformation_export": _EVERYTHING,
    "aws_cloudformation_stack": _EVERYTHING,
    "aws_default_security_group": _NETWORK,
    "aws_ec2_capacity_block_offering": frozenset({"aws_ec2_capacity_block_reservation"}),
    "aws_eks_cluster": frozenset({"aws_eks_cluster", "aws_security_group", "aws_subnet"}),
    "aws_eks_clusters": frozenset({"aws_eks_cluster"}),
    "aws_iam_role": frozenset({"aws_iam_role"}),
    "aws_iam_roles": frozenset({"aws_iam_role"}),
    "aws_kms_alias": frozenset({"aws_kms_key"}),
    "aws_kms_key": frozenset({"aws_kms_key"}),
    "aws_launch_template": frozenset({"aws_launch_template"}),
    "aws_s3_bucket": frozenset({"aws_s3_bucket"}),
    "aws_security_group": _NETWORK,
    "aws_security_groups": _NETWORK,
    "aws_ssm_parameter": _NETWORK,
    "aws_subnet": _NETWORK,
    "aws_subnets": _NETWORK,
    "aws_vpc": _NETWORK,
    "external": _EVERYTHING,
    "http": _EVERYTHING,
    "terraform_remote_state": _EVERYTHING,
}
"""Type of a data source -> the types whose ids it can have, of resources that the plan does not create."""

_OTHERS = ("", "")

Few = Mapping[str, tuple[str, ...]]
"""Terraform's type -> at most two addresses."""


class Scopes:
    """The scopes of all module instances of a plan."""

    def __init__(self, document: Document, configuration: Configuration) -> None:
        self._configuration = configuration
        self._type_of = {each.address: each.type for each in document.resources if each.type in NAMES}
        self._own: dict[ModulePath, dict[str, tuple[str, ...]]] = {}
        self._modules: set[ModulePath] = {()}
        for each in document.resources:
            self._modules.add(each.module)
            if each.type in NAMES:
                _add(self._own.setdefault(each.module, {}), each.type, each.address)
        for path in list(self._modules):
            self._modules.update(path[:length] for length in range(len(path)))
        self._inputs: dict[ModulePath, Few] = {}
        self._all: dict[ModulePath, Few] = {}
        self._beside: dict[ModulePath, Mapping[str, Mapping[str, tuple[str, ...]]]] = {}

    def only(self, module: ModulePath) -> frozenset[str]:
        """The resources of a module's scope that are the only ones of their type there. None of a type of which a data
        source can name others."""
        if module not in self._all:
            self._all[module] = self._in_scope(module)
        return frozenset(each[0] for each in self._all[module].values() if len(each) == 1)

    @cached_property
    def _subtrees(self) -> Mapping[ModulePath, Few]:
        """The resources of each module instance and of those below it."""
        found = {path: dict(self._own.get(path, {})) for path in self._modules}
        for path in sorted(self._modules, key=len, reverse=True):
            if path:
                _merge(found[path[:-1]], found[path])
        return found

    @cached_property
    def _children(self) -> Mapping[ModulePath, list[ModulePath]]:
        found: dict[ModulePath, list[ModulePath]] = {}
        for path in sorted(self._modules, key=str):
            if path:
                found.setdefault(path[:-1], []).append(path)
        return found

    def _in_scope(self, module: ModulePath) -> Few:
        found: dict[str, tuple[str, ...]] = dict(self._subtrees.get(module, {}))
        _merge(found, self._of_inputs(module))
        self._open(found, module)
        return found

    def _open(self, found: dict[str, tuple[str, ...]], module: ModulePath) -> None:
        """Adds what the data sources of a module can name: two others of each type."""
        for data in self._configuration.unread_data(module):
            for type_ in _CAN_NAME.get(data, ()):
                found[type_] = _OTHERS

    def _of_inputs(self, module: ModulePath) -> Few:
        """What the inputs of a module instance can name."""
        missing = [module[:length] for length in range(len(module) + 1) if module[:length] not in self._inputs]
        for path in missing:  # from the root on
            self._inputs[path] = self._inputs_of(path) if path else {}
        return self._inputs[module]

    def _inputs_of(self, module: ModulePath) -> Few:
        origin = self._configuration.inputs(module)
        found: dict[str, tuple[str, ...]] = {}
        for address in sorted(origin.addresses):
            if address in self._type_of:
                _add(found, self._type_of[address], address)
        if origin.is_complete:
            return found
        parent = module[:-1]
        _merge(found, self._inputs[parent])
        _merge(found, self._without_call(parent, module[-1].name))
        self._open(found, parent)
        return found

    def _without_call(self, module: ModulePath, call: str) -> Few:
        """What a module has without the instances of one call: its inputs cannot depend on its own outputs."""
        if module not in self._beside:
            by_call: dict[str, dict[str, tuple[str, ...]]] = {}
            for child in self._children.get(module, []):
                name = child[-1].name
                for type_, addresses in self._subtrees[child].items():
                    calls = by_call.setdefault(type_, {})
                    if name in calls or len(calls) < _CALLS:
                        calls[name] = (*calls.get(name, ()), *addresses)[:_ENOUGH]
            self._beside[module] = by_call
        found = dict(self._own.get(module, {}))
        for type_, by_name in self._beside[module].items():
            for name, addresses in by_name.items():
                if name != call:
                    for address in addresses:
                        _add(found, type_, address)
        return found


def _add(found: dict[str, tuple[str, ...]], type_: str, address: str) -> None:
    before = found.get(type_, ())
    if len(before) < _ENOUGH and address not in before:
        found[type_] = (*before, address)


def _merge(found: dict[str, tuple[str, ...]], more: Few) -> None:
    for type_, addresses in more.items():
        for address in addresses:
            _add(found, type_, address)
