"""Which names of which packages a program uses, and how: the only reading of Python code for that.

``read`` follows imports and values through the code, with whatever is known of the releases;
``imported`` and its kin tell what import statements bind, also of code that does not parse.
"""

from libdrift.languages.python.usage.importing import imports_any
from libdrift.languages.python.usage.imports import (
    Imported,
    all_imported,
    imported,
    imported_by_lines,
    imported_by_text,
    is_import,
    parsed,
    without_imports,
)
from libdrift.languages.python.usage.noting import PLAIN_NAMES
from libdrift.languages.python.usage.projects import ProjectModules
from libdrift.languages.python.usage.scopes import bound
from libdrift.languages.python.usage.statements import read
from libdrift.languages.python.usage.text import Mentions, mentions
from libdrift.languages.python.usage.types import (
    UNKNOWN,
    Given,
    Lookup,
    OnePackage,
    Packages,
    ReleaseTypes,
)
from libdrift.languages.python.usage.uses import (
    Arguments,
    Certainty,
    Guard,
    Reading,
    Reason,
    Span,
    Use,
    UseKind,
    arguments_of,
)
from libdrift.languages.python.usage.vocabulary import Vocabulary, vocabulary

__all__ = [
    "PLAIN_NAMES",
    "UNKNOWN",
    "Arguments",
    "Certainty",
    "Given",
    "Guard",
    "Imported",
    "Lookup",
    "Mentions",
    "OnePackage",
    "Packages",
    "ProjectModules",
    "Reading",
    "Reason",
    "ReleaseTypes",
    "Span",
    "Use",
    "UseKind",
    "Vocabulary",
    "all_imported",
    "arguments_of",
    "bound",
    "imported",
    "imported_by_lines",
    "imported_by_text",
    "imports_any",
    "is_import",
    "mentions",
    "parsed",
    "read",
    "vocabulary",
    "without_imports",
]
