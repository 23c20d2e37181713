"""Makes the dataclasses of answers from the objects of the library, which are those of the command's JSON."""

import dataclasses
import types
import typing
from typing import Any

from . import _rows

_FIELDS: dict[type, dict[str, tuple[str, Any]]] = {}


def made(name: str, value: Any) -> Any:
    """A row of this name, a list of such rows, or None."""
    return _made(getattr(_rows, name), value)


def _made(kind: Any, value: Any) -> Any:
    if isinstance(value, list):
        return [_made(kind, one) for one in value]
    if value is None or not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        return value
    fields = _fields(kind)
    return kind(**{fields[key][0]: _made(fields[key][1], of) for key, of in value.items()})


def _fields(row: type) -> dict[str, tuple[str, Any]]:
    """The name of each field by its key, and the type of its values, or of the items of its values."""
    if row not in _FIELDS:
        # a field whose key is a reserved word ends with an underscore
        _FIELDS[row] = {name.rstrip("_"): (name, _inner(kind)) for name, kind in typing.get_type_hints(row).items()}
    return _FIELDS[row]


def _inner(kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        return _inner(next(one for one in typing.get_args(kind) if one is not types.NoneType))
    return _inner(typing.get_args(kind)[0]) if typing.get_origin(kind) is list else kind
