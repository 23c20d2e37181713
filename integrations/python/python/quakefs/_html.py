"""Tables for notebooks."""

from collections.abc import Iterable
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import PakFile, SearchPath

_MOST = 20


def _table(title: str, columns: list[str], rows: Iterable[Iterable[Any]], count: int) -> str:
    """The first rows, escaped: names may be anything."""

    def row(cells: Iterable[Any], tag: str) -> str:
        shown = ("" if cell is None else str(cell) for cell in cells)
        # a lone surrogate, of a name that is not UTF-8, cannot be encoded
        safe = (escape(text.encode("utf-8", "backslashreplace").decode()) for text in shown)
        return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in safe) + "</tr>"

    body = "".join(row(cells, "td") for cells in islice(rows, _MOST))
    more = f"<p>{count - _MOST} more</p>" if count > _MOST else ""
    return f"<table><caption>{escape(title)}</caption><thead>{row(columns, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def of_search_path(quake: "SearchPath") -> str:
    """The layers of a mounted game, the highest first."""
    layers = quake.layers
    rows = ((layer.name, layer.kind, layer.entries, layer.path) for layer in layers)
    return _table(repr(quake), ["layer", "kind", "entries", "path"], rows, len(layers))


def of_archive(pak: "PakFile") -> str:
    """The entries of an archive."""
    infos = pak.infolist()
    rows = ((info.filename, info.file_size, info.compress_size) for info in infos)
    return _table(repr(pak), ["name", "size", "stored size"], rows, len(infos))
