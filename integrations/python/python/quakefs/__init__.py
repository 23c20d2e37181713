"""Find and read the file that a Quake engine would load, and read and write archives of the Quake family.

>>> quake = quakefs.mount("testdata/game", engine="quakespasm", games="mymod")
>>> view = quake["maps/start.bsp"]
>>> for copy in quake.which("maps/start.bsp").overridden:
...     print(copy.layer, "is overridden:", copy.rule)
mymod/pak0.pak is overridden: pak1.pak loads after pak0.pak, by number
id1/pak0.pak is overridden: mymod/ ranks above id1/
id1/ is overridden: mymod/ ranks above id1/

If no layer has a name, `[]` raises KeyError, and `read` and `open` raise FileNotFoundError. A damaged archive or entry raises
BadPakFile, an OSError. Errors of the system are the usual OSErrors. Answers are dataclasses, whose names end with Row or Answer; their
fields are those of the command's JSON.
"""

from collections.abc import Mapping

from ._archive import PakFile, is_pakfile
from ._content import Frame, Level, Model, Picture, Sound, Surface, Texture
from ._mount import Options, installed, mount, place, placements
from ._path import Path
from ._quakefs import (
    __VERSION as __version__,
    BadPakFile,
    Catalog,
    Change,
    File,
    Layer,
    PakInfo,
    Placed,
    SearchPath,
    catalog,
    engines,
    undo,
)
from ._rows import *

# each name, because type checkers read only names here
# fmt: off
__all__ = [
    "AdviceRow", "BadPakFile", "Catalog", "Caveats", "Change", "ChangeRow", "ChosenRow", "CompanionRow", "CompanionsAnswer",
    "CopyRow", "DifferenceRow", "EffectsRow", "Engine", "ExistingRow", "File", "FileRow", "FindingRow", "FitRow",
    "Frame", "Host", "IncidentRow", "InstalledAnswer", "InstalledRow", "JournalRow", "Layer", "LayerRow", "Level", "LevelRow", "ModRow", "Model",
    "NeedRow", "NeedsAnswer", "Options", "OverriddenRow", "PakFile", "PakInfo", "PartRow", "Path", "PathAnswer",
    "Picture", "PlaceAnswer", "Placed", "ReasonRow", "RegistrationRow", "SearchPath", "SkippedRow", "Sound", "StartRow",
    "SubstituteRow", "Surface", "Texture", "UndoAnswer", "UndoneRow", "UnusedRow", "UserDirectoryRow", "VerdictRow", "WhichRow",
    "WinnerRow", "__version__", "catalog", "engines", "installed", "is_pakfile", "mount", "place", "placements", "undo",
]
# fmt: on

Mapping.register(SearchPath)
del Mapping
