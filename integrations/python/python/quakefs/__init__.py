"""Find and read the file that a Quake engine would load, and read and write archives of the Quake family.

>>> quake = quakefs.mount("testdata/game", engine="quakespasm", game="mymod")
>>> view = quake["maps/start.bsp"]
>>> print(quake.explain("maps/start.bsp"))
maps/start.bsp: mymod/pak1.pak (entry 0, 41 bytes)
  overrides mymod/pak0.pak (entry 1, 41 bytes): pak1.pak loads after pak0.pak, by number
  overrides id1/pak0.pak (entry 4, 39 bytes): mymod/ ranks above id1/
  overrides id1/ (57 bytes): mymod/ ranks above id1/

If no layer has a name, `[]` raises KeyError, and `read` and `open` raise FileNotFoundError. A damaged archive or entry raises
BadPakFile, an OSError. Errors of the system are the usual OSErrors.
"""

from collections.abc import Mapping

from ._archive import PakFile, is_pakfile
from ._content import Frame, Level, Model, Picture, Sound, Surface, Texture
from ._path import Path
from ._quakefs import (
    __VERSION as __version__,
    BadPakFile,
    Catalog,
    Change,
    Explanation,
    File,
    Finding,
    Layer,
    Need,
    Needs,
    PakInfo,
    Part,
    Placement,
    SearchPath,
    Start,
    catalog,
    engines,
    mount,
    place,
    undo,
)

__all__ = [
    "BadPakFile",
    "Catalog",
    "Change",
    "Explanation",
    "File",
    "Finding",
    "Frame",
    "Layer",
    "Level",
    "Model",
    "Need",
    "Needs",
    "PakFile",
    "PakInfo",
    "Part",
    "Path",
    "Picture",
    "Placement",
    "SearchPath",
    "Sound",
    "Start",
    "Surface",
    "Texture",
    "__version__",
    "catalog",
    "engines",
    "is_pakfile",
    "mount",
    "place",
    "undo",
]

Mapping.register(SearchPath)
del Mapping
