"""Models, pictures, levels and sounds of a game."""

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _quakefs

if TYPE_CHECKING:
    from . import SearchPath
    from ._quakefs import _Named


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in RGBA, with the palette of the game applied."""

    width: int
    height: int
    #: bytes in the shape (height, width, 4), from the top
    pixels: "memoryview[int]"

    def __repr__(self) -> str:
        return f"<quakefs.Picture {self.width}x{self.height}>"

    def _repr_png_(self) -> bytes:
        """The picture as notebooks show it."""

        def chunk(kind: bytes, content: bytes) -> bytes:
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

        flat, row = self.pixels.tobytes(), max(self.width * 4, 1)
        # each row begins with its filter, none
        rows = b"".join(b"\0" + flat[at : at + row] for at in range(0, len(flat), row))
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a model."""

    name: str
    #: frames of one group are shown in turn
    group: int
    #: when the frame ends in its group, in seconds; 0 if it is alone
    time: float
    #: floats in the shape (points, 3): x forward, y left, z up
    points: "memoryview[float]"

    def __repr__(self) -> str:
        return f"<quakefs.Frame {self.name!r}>"


@dataclass(frozen=True, slots=True)
class Surface:
    """The faces of a model that share a skin."""

    #: the skin's or shader's name; empty if the skin is in the model
    name: str
    faces: slice


@dataclass(frozen=True, slots=True)
class Model:
    """A model: .mdl of Quake, .md2 of Quake II, .md3 of Quake III. Vertices on a seam of the skin are repeated."""

    #: floats in the shape (points, 2): to the right and down, from 0 to 1
    uvs: "memoryview[float]"
    #: numbers of points in the shape (faces, 3), clockwise seen from the front
    faces: "memoryview[int]"
    frames: list[Frame]
    #: the skins in an .mdl, each with the pictures that are shown in turn, and when each ends
    skins: list[list[tuple[float, Picture]]]
    surfaces: list[Surface]

    def __repr__(self) -> str:
        return f"<quakefs.Model of {len(self.faces)} faces, frames: {len(self.frames)}, skins: {len(self.skins)}>"

    @property
    def points(self) -> "memoryview[float]":
        """The points of the first frame."""
        return self.frames[0].points


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture of a level."""

    name: str
    #: None if its pixels are in another file
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class Level:
    """A level. The faces are those of the world, without doors and other models.

    >>> level = quakefs.mount("testdata/lamps").level("maps/start.bsp")
    >>> level.entities[0]["classname"], len(level.faces)
    ('worldspawn', 0)
    """

    #: keys and values of each entity, the world first
    entities: list[dict[str, str]]
    #: floats in the shape (corners, 3): the corners of all faces, one face after another
    corners: "memoryview[float]"
    #: floats in the shape (corners, 2): the position on the texture in pixels; in Quake III from 0 to 1
    uvs: "memoryview[float]"
    #: floats in the shape (corners, 2): the position in the light of the face, from 0 to 1
    light_uvs: "memoryview[float]"
    #: numbers of corners in the shape (triangles, 3)
    triangles: "memoryview[int]"
    #: how many corners each face has
    counts: "memoryview[int]"
    #: the number of each face's texture
    textures_of_faces: "memoryview[int]"
    #: in the shape (faces, 4): where the light of each face starts in `light`, its width, its height, the number of styles; 0 without light
    lights: "memoryview[int]"
    textures: list[Texture]
    #: in the shape (samples, channels): the light of all faces, with one channel in Quake and three in later games
    light: "memoryview[int]"

    def __repr__(self) -> str:
        return f"<quakefs.Level of {len(self.counts)} faces, entities: {len(self.entities)}, textures: {len(self.textures)}>"

    @property
    def faces(self) -> list[range]:
        """The corners of each face."""
        faces, start = [], 0
        for count in self.counts:
            faces.append(range(start, start + count))
            start += count
        return faces


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound: .wav, or the facts of an .ogg."""

    #: samples per second
    rate: int
    channels: int
    seconds: float
    #: whether it has a loop mark, as ambient sounds do
    loops: bool
    #: in the shape (samples, channels): bytes of 8 bits around 128, or numbers of 16 bits; None if it is compressed
    samples: "memoryview[int] | None"

    def __repr__(self) -> str:
        return f"<quakefs.Sound of {self.seconds:.2f} s, {self.rate} Hz, channels: {self.channels}>"


def _shaped(view: memoryview, kind: Literal["f", "I", "B", "h"], *sides: int) -> Any:
    """Numbers in rows."""
    of_row = memoryview(bytes(4)).cast(kind).itemsize
    for side in sides:
        of_row *= side
    # a view of nothing has no shape
    return view.cast(kind, [len(view) // of_row, *sides]) if len(view) else view.cast(kind)


def _picture(width: int, height: int, rgba: memoryview) -> Picture:
    return Picture(width, height, rgba.cast("B", [height, width, 4]))


def picture(quake: "SearchPath", name: "_Named") -> Picture:
    return _picture(*_quakefs.picture_of(quake, name))


def model(quake: "SearchPath", name: "_Named") -> Model:
    uvs, faces, frames, skins, surfaces = _quakefs.model_of(quake, name)
    return Model(
        _shaped(uvs, "f", 2),
        _shaped(faces, "I", 3),
        [Frame(name, group, time, _shaped(points, "f", 3)) for name, group, time, points in frames],
        [[(time, _picture(*pixels)) for time, pixels in skin] for skin in skins],
        [Surface(name, slice(start, start + count)) for name, start, count in surfaces],
    )


def level(quake: "SearchPath", name: "_Named") -> Level:
    entities, views, textures, light, channels = _quakefs.level_of(quake, name)
    corners, uvs, light_uvs, triangles, counts, of_faces, lights = views
    return Level(
        [dict(pairs) for pairs in entities],
        _shaped(corners, "f", 3),
        _shaped(uvs, "f", 2),
        _shaped(light_uvs, "f", 2),
        _shaped(triangles, "I", 3),
        counts.cast("I"),
        of_faces.cast("I"),
        _shaped(lights, "I", 4),
        [Texture(name, None if pixels is None else _picture(*pixels)) for name, pixels in textures],
        _shaped(light[: len(light) // channels * channels], "B", channels),
    )


def sound(quake: "SearchPath", name: "_Named") -> Sound:
    rate, channels, bits, loops, seconds, view = _quakefs.sound_of(quake, name)
    samples = None
    if bits in (8, 16) and channels:
        # the file has little-endian numbers, as have all systems with Python packages of this
        whole = len(view) // (channels * bits // 8) * (channels * bits // 8)
        samples = _shaped(view[:whole], "B" if bits == 8 else "h", channels)
    return Sound(rate, channels, seconds, loops, samples)
