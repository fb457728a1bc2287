"""Holds an XML document to an XML Schema, as far as `junit-10.xsd` uses the language; anything further is refused.

The standard library has no validator, and the schema is small: what an element may hold is a regular expression over
the names of its children, which is how XML Schema 1.0 (part 1, section 3.8) means it.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

XS = "{http://www.w3.org/2001/XMLSchema}"


@dataclass(frozen=True)
class Form:
    """What an element may be."""

    attributes: dict[str, tuple[bool, re.Pattern[str] | None]]  # name -> required, pattern of its value
    children: re.Pattern[str]  # over "name " for each child
    mixed: bool
    inside: dict[str, "ET.Element"]  # elements that the schema describes only here


class Schema:
    """The elements that a schema describes."""

    def __init__(self, file: Path) -> None:
        root = ET.parse(file).getroot()
        self._elements = {each.get("name", ""): each for each in root if each.tag == f"{XS}element"}
        self._types = {
            each.get("name", ""): each for each in root if each.tag in (f"{XS}complexType", f"{XS}simpleType")
        }

    def faults(self, document: str) -> list[str]:
        """What of a document the schema does not allow, each with its path."""
        root = ET.fromstring(document)
        if root.tag not in self._elements:
            return [f"/{root.tag}: no such element"]
        return list(self._of(root, self._elements[root.tag], f"/{root.tag}"))

    def _of(self, element: ET.Element, described: ET.Element, path: str):
        form = self._form(described)
        yield from self._attributes(element, form, path)
        names = "".join(f"{child.tag} " for child in element)
        if not form.children.fullmatch(names):
            yield f"{path}: holds {names.strip() or 'nothing'}"
        text = (element.text or "") + "".join(child.tail or "" for child in element)
        if text.strip() and not form.mixed:
            yield f"{path}: holds text"
        for child in element:
            known = form.inside.get(child.tag, self._elements.get(child.tag))
            if known is None:
                yield f"{path}/{child.tag}: no such element"
            else:
                yield from self._of(child, known, f"{path}/{child.tag}")

    def _attributes(self, element: ET.Element, form: Form, path: str):
        for name, value in element.attrib.items():
            if name not in form.attributes:
                yield f"{path}: has {name}"
            elif (pattern := form.attributes[name][1]) and not pattern.fullmatch(value):
                yield f"{path}: {name} is {value!r}"
        for name, (required, _) in form.attributes.items():
            if required and name not in element.attrib:
                yield f"{path}: has no {name}"

    def _form(self, described: ET.Element) -> Form:
        kind = described.get("type")
        if kind == "xs:string":
            return Form({}, re.compile(""), mixed=True, inside={})
        complex_ = self._types[kind] if kind else described.find(f"{XS}complexType")
        assert complex_ is not None, described.attrib
        attributes, content, inside = {}, "", {}
        for part in complex_:
            if part.tag == f"{XS}attribute":
                assert set(part.attrib) <= {"name", "type", "use"}, part.attrib
                attributes[part.get("name", "")] = (part.get("use") == "required", self._pattern(part.get("type", "")))
            else:
                content += self._content(part, inside)
        return Form(attributes, re.compile(content), complex_.get("mixed") == "true", inside)

    def _pattern(self, kind: str) -> re.Pattern[str] | None:
        if kind == "xs:string":
            return None
        (restriction,) = self._types[kind]
        (facet,) = restriction
        assert (restriction.tag, facet.tag) == (f"{XS}restriction", f"{XS}pattern"), kind
        return re.compile(facet.get("value", ""))

    def _content(self, part: ET.Element, inside: dict[str, ET.Element]) -> str:
        """A part of a content model as a regular expression."""
        if part.tag == f"{XS}element":
            if name := part.get("name"):
                inside[name] = part
            said = re.escape(f"{part.get('ref') or name} ")
        else:
            assert part.tag in (f"{XS}sequence", f"{XS}choice"), part.tag
            said = ("|" if part.tag == f"{XS}choice" else "").join(self._content(below, inside) for below in part)
        most = part.get("maxOccurs", "1")
        return f"(?:{said}){{{part.get('minOccurs', '1')},{'' if most == 'unbounded' else most}}}"
