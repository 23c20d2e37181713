"""Models, pictures, levels and sounds as buffers, beside vgio's readers and on LibreQuake's files."""

import io
import pathlib
import struct
import zlib

import pytest
import vgio.quake.bsp.bsp29
import vgio.quake.mdl

import quakefs

numpy = pytest.importorskip("numpy")
LIBREQUAKE = pathlib.Path(__file__).parents[4] / "shared/paks/librequake"


def game(folder, files):
    for name, content in files.items():
        path = folder / "id1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return quakefs.mount(folder)


@pytest.fixture
def libre():
    if not LIBREQUAKE.exists():
        pytest.skip("LibreQuake's paks are not there")
    return quakefs.mount(LIBREQUAKE, games="vektar")


def test_numpy_takes_the_buffers_without_a_copy(libre):
    ogre = libre.model("progs/ogre.mdl")
    for view, kind, columns in ((ogre.points, numpy.float32, 3), (ogre.uvs, numpy.float32, 2), (ogre.faces, numpy.uint32, 3)):
        array = numpy.asarray(view)
        assert array.dtype == kind and array.shape == (len(array), columns) and not array.flags.owndata
        assert numpy.shares_memory(array, numpy.frombuffer(view, kind))
    assert numpy.asarray(ogre.faces).max() < len(ogre.points.tolist())
    assert 0 <= numpy.asarray(ogre.uvs).min() and numpy.asarray(ogre.uvs).max() <= 1.5


def test_models_are_those_of_vgio(libre):
    for file in libre.glob("progs/*.mdl"):
        ours = libre.model(file.name)
        with vgio.quake.mdl.Mdl.open(io.BytesIO(libre.read(file.name))) as theirs:
            groups = [list(frame.frames) if frame.type else [frame] for frame in theirs.frames]
            assert [frame.name for frame in ours.frames] == [frame.name for group in groups for frame in group]
            assert [frame.group for frame in ours.frames] == [number for number, group in enumerate(groups) for _ in group]
            assert len(ours.skins) == len(theirs.skins) and len(ours.faces.tolist()) == len(theirs.triangles)
            last = groups[-1][-1]
            vertices = numpy.array([vertex[:3] for vertex in last.vertexes]) * theirs.scale + theirs.origin
            corners = vertices[[list(triangle.vertexes) for triangle in theirs.triangles]]
        points = numpy.asarray(ours.frames[-1].points)[numpy.asarray(ours.faces)]
        assert numpy.allclose(points, corners, atol=1e-3), file.name


def test_groups_have_their_times(tmp_path):
    def frame(name, x):
        return bytes(8) + name.ljust(16, b"\0") + bytes([x, 0, 0, 0, 4, 0, 0, 0, 0, 4, 2, 0])

    model = b"".join(
        [
            struct.pack("<4si10f", b"IDPO", 6, 0.5, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0),
            struct.pack("<8if", 1, 4, 2, 3, 1, 2, 0, 0, 1),
            struct.pack("<2i2f", 1, 2, 0.25, 0.5) + bytes([0] * 8 + [1] * 8),
            bytes(3 * 12) + struct.pack("<4i", 1, 0, 1, 2),
            struct.pack("<2i", 1, 2) + bytes(8) + struct.pack("<2f", 0.125, 0.25) + frame(b"one", 0) + frame(b"two", 8),
            struct.pack("<i", 0) + frame(b"three", 2),
        ]
    )
    palette = bytes([10, 20, 30, 40, 50, 60]) + bytes(768 - 6)
    quake = game(tmp_path, {"progs/a.mdl": model, "gfx/palette.lmp": palette})
    model = quake.model("progs/a.mdl")
    assert [(frame.name, frame.group, frame.time) for frame in model.frames] == [("one", 0, 0.125), ("two", 0, 0.25), ("three", 1, 0.0)]
    assert model.frames[1].points.tolist()[0] == [4, 0, 0] and model.points.tolist()[0] == [0, 0, 0]
    ((first, one), (second, two)) = model.skins[0]
    assert (first, second, one.width, one.height) == (0.25, 0.5, 4, 2)
    assert one.pixels.tolist()[1][3] == [10, 20, 30, 255] and two.pixels.tolist()[0][0] == [40, 50, 60, 255]
    assert model.surfaces == [quakefs.Surface("", slice(0, 1))]


def test_a_level_has_entities_faces_and_textures(libre):
    name = "maps/start.bsp"
    level = libre.level(name)
    bsp = vgio.quake.bsp.bsp29.Bsp.open(io.BytesIO(libre.read(name)))
    assert level.entities[0]["classname"] == "worldspawn"
    assert [texture.name for texture in level.textures] == [texture.name for texture in bsp.miptextures if texture]
    corners = numpy.asarray(level.corners)
    world = bsp.models[0]
    theirs = bsp.faces[world.first_face : world.first_face + world.number_of_faces]
    assert len(level.faces) == len(theirs) == len(level.counts) == len(level.textures_of_faces)
    for face, number, their in zip(level.faces, level.textures_of_faces, theirs, strict=True):
        edges = bsp.surf_edges[their.first_edge : their.first_edge + their.number_of_edges]
        numbers = [bsp.edges[edge].vertexes[0] if edge >= 0 else bsp.edges[-edge].vertexes[1] for edge in edges]
        assert numpy.array_equal(corners[face.start : face.stop], [bsp.vertexes[at][:] for at in numbers])
        texture = bsp.miptextures[bsp.texture_infos[their.texture_info].miptexture_number]
        assert level.textures[number].name == texture.name
    check_light(level, bsp, theirs)
    first = level.textures[0].picture
    assert first.pixels.shape == (first.height, first.width, 4)


def check_light(level, bsp, faces):
    """Compares texture coordinates and the sizes of lightmaps with those computed from vgio's tables."""
    uvs, light_uvs, triangles = numpy.asarray(level.uvs), numpy.asarray(level.light_uvs), numpy.asarray(level.triangles)
    corners, lights = numpy.asarray(level.corners), numpy.asarray(level.lights)
    assert len(triangles) == sum(len(face) - 2 for face in level.faces) and triangles.max() < len(corners)
    for face, light, their in zip(level.faces, lights, faces, strict=True):
        info = bsp.texture_infos[their.texture_info]
        points = corners[face.start : face.stop]
        expected = numpy.stack([points @ info.s + info.s_offset, points @ info.t + info.t_offset], axis=1)
        assert numpy.allclose(uvs[face.start : face.stop], expected, atol=1e-3)
        if their.light_offset < 0:
            assert (light == 0).all()
            continue
        least, most = numpy.floor(expected.min(axis=0) / 16), numpy.ceil(expected.max(axis=0) / 16)
        assert light[0] == their.light_offset and (light[1:3] == most - least + 1).all()
        where = light_uvs[face.start : face.stop]
        assert (where > 0).all() and (where < 1).all()
        assert light[0] + light[1] * light[2] * light[3] <= len(level.light.tolist())


def test_a_model_of_quake_iii_has_frames_and_coordinates(tmp_path):
    triangle = struct.pack("<3i", 0, 1, 2)
    uvs = struct.pack("<6f", 0, 0, 1, 0, 0, 1)
    frames = b"".join(struct.pack("<4h", x * 64, 0, 0, 0) for x in (0, 1, 2, 10, 11, 12))
    shader = b"models/a/body".ljust(68, b"\0")
    at = 108
    offsets = [at + len(shader), at, at + len(shader) + 12, at + len(shader) + 12 + 24]
    body = shader + triangle + uvs + frames
    surface = b"IDP3" + bytes(68) + struct.pack("<9i", 2, 1, 3, 1, *offsets, at + len(body)) + body
    table = b"".join(bytes(40) + name.ljust(16, b"\0") for name in (b"stand", b"walk"))
    head = b"IDP3" + struct.pack("<i", 15) + bytes(68) + struct.pack("<8i", 2, 0, 1, 0, 108, 0, 108 + len(table), 0)
    model = game(tmp_path, {"a.md3": head + table + surface}).model("a.md3")
    assert [frame.name for frame in model.frames] == ["stand", "walk"]
    assert [row[0] for row in model.frames[1].points.tolist()] == [10, 11, 12] and model.uvs.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert model.surfaces == [quakefs.Surface("models/a/body", slice(0, 1))]


def test_pictures_have_the_palette_of_the_game(libre, tmp_path):
    palette = libre.read("gfx/palette.lmp")
    bar = libre.picture("gfx/conback.lmp")
    width, height = struct.unpack_from("<2i", libre["gfx/conback.lmp"])
    indices = numpy.frombuffer(libre["gfx/conback.lmp"], numpy.uint8, offset=8)
    assert (bar.width, bar.height) == (width, height)
    rgba = numpy.asarray(bar.pixels).reshape(-1, 4)
    solid = indices != 255
    assert numpy.array_equal(rgba[solid, :3], numpy.frombuffer(palette, numpy.uint8).reshape(-1, 3)[indices[solid]])
    assert (rgba[~solid] == 0).all() and (rgba[solid, 3] == 255).all()
    quake = game(tmp_path, {"gfx/a.png": b"\x89PNG", "gfx/b.lmp": b"short"})
    with pytest.raises(ValueError, match="gfx/a.png"):
        quake.picture("gfx/a.png")
    with pytest.raises(quakefs.BadPakFile):
        quake.picture("gfx/b.lmp")


def test_sounds_have_their_samples(libre, tmp_path):
    import wave

    for file in libre.glob("sound/**/*.wav"):
        ours = libre.sound(file.name)
        with wave.open(io.BytesIO(libre.read(file.name))) as theirs:
            frames = theirs.readframes(theirs.getnframes())
            assert (ours.rate, ours.channels) == (theirs.getframerate(), theirs.getnchannels())
            assert bytes(ours.samples) == frames and ours.samples.shape == (theirs.getnframes(), ours.channels)
    quake = game(tmp_path, {"sound/a.wav": b"RIFF no sound"})
    with pytest.raises(quakefs.BadPakFile, match="RIFF"):
        quake.sound("sound/a.wav")


def test_content_that_is_damaged_or_missing_is_an_error(libre, tmp_path):
    files = {"progs/a.mdl": libre.read("progs/ogre.mdl"), "maps/a.bsp": libre.read("maps/start.bsp"), "sound/a.wav": libre.read("sound/vektar/gotit.wav")}
    cut = {name.replace("/a", f"/{cut}"): content[: len(content) * cut // 9] for name, content in files.items() for cut in range(9)}
    quake = game(tmp_path, cut)
    for name in quake:
        kind = {"mdl": "model", "bsp": "level", "wav": "sound"}[name[-3:]]
        try:
            getattr(quake, kind)(name)
        except quakefs.BadPakFile as error:
            assert error.filename == name
        else:
            assert kind == "sound" or name == "maps/8.bsp"
    for kind in ("model", "picture", "level", "sound"):
        with pytest.raises(FileNotFoundError):
            getattr(quake, kind)("progs/none.mdl")


def test_a_copy_and_a_path_are_read_like_a_name(tmp_path):
    one, two = (b"\2\0\0\0\1\0\0\0" + bytes(pixels) for pixels in ([1, 1], [2, 2]))
    quake = game(tmp_path, {"gfx/a.lmp": one})
    with quakefs.PakFile(tmp_path / "id1/pak0.pak", "w") as pak:
        pak.writestr("gfx/a.lmp", two)
    quake = quakefs.mount(tmp_path, engine="winquake")
    winner, other = quake.copies("gfx/a.lmp")
    assert quake.read(winner) == quake.read("gfx/a.lmp") == quake.read(quake / "gfx" / "a.lmp") == bytes(winner.read())
    assert quake.read(other) == bytes(other.read()) != quake.read(winner)
    assert quake.picture(other).pixels != quake.picture(winner).pixels == quake.picture(b"gfx/a.lmp").pixels
    with pytest.raises(TypeError, match="quakefs.Path"):
        quake.read(5)
    (tmp_path / "id1/a.mdl").write_bytes(b"no model")
    with pytest.raises(quakefs.BadPakFile) as caught:
        quake.model("a.mdl")
    assert caught.value.filename == "a.mdl" and "IDPO" in str(caught.value)


def test_content_is_short_in_a_console_and_a_picture_in_a_notebook(libre, tmp_path):
    model, level = libre.model("progs/ogre.mdl"), libre.level("maps/start.bsp")
    for one in (model, model.frames[0], level, libre.sound("sound/vektar/gotit.wav")):
        assert repr(one).startswith("<quakefs.") and len(repr(one)) < 80, repr(one)
    picture = libre.picture("gfx/conback.lmp")
    assert repr(picture) == f"<quakefs.Picture {picture.width}x{picture.height}>"
    (tmp_path / "a.png").write_bytes(picture._repr_png_())
    size, pixels = read_png(tmp_path / "a.png")
    assert size == (picture.width, picture.height) and pixels == picture.pixels.tobytes()


def read_png(path):
    """The size and the RGBA of a PNG whose rows have no filter."""
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = {}, 8
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, body, (crc,) = content[at + 4 : at + 8], content[at + 8 : at + 8 + length], struct.unpack_from(">I", content, at + 8 + length)
        assert zlib.crc32(kind + body) == crc
        parts[kind] = body
        at += 12 + length
    width, height = struct.unpack_from(">II", parts[b"IHDR"])
    rows = zlib.decompress(parts[b"IDAT"])
    return (width, height), b"".join(rows[row * (width * 4 + 1) + 1 : (row + 1) * (width * 4 + 1)] for row in range(height))


def test_a_small_level_that_claims_many_corners_is_refused(tmp_path):
    # 2,000 faces with the same 60,000 corners
    lumps = [b""] * 15
    lumps[0] = b'{ "classname" "worldspawn" }\0'
    lumps[3] = struct.pack("<3f", 1, 2, 3)
    lumps[7] = struct.pack("<2Hi2H", 0, 0, 0, 60_000, 0).ljust(20, b"\0") * 2000
    lumps[12] = struct.pack("<2H", 0, 0)
    lumps[13] = bytes(4 * 60_000)
    lumps[14] = bytes(56) + struct.pack("<2i", 0, 2000)
    rows, body = b"", b""
    for lump in lumps:
        rows += struct.pack("<2i", 4 + 15 * 8 + len(body), len(lump))
        body += lump
    quake = game(tmp_path, {"maps/a.bsp": struct.pack("<i", 29) + rows + body})
    with pytest.raises(quakefs.BadPakFile, match="corners"):
        quake.level("maps/a.bsp")
