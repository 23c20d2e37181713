import errno
import io
import os
import pathlib
import zipfile

import pytest
import vgio.hrot.pak
import vgio.quake.pak
import vgio.quake.wad

import quakefs
from quakefs import PakFile

OK = sorted(pathlib.Path(__file__).parents[3].glob("testdata/pak/ok/*.pak"))
QUAKE = [path for path in OK if path.name.startswith("quake")]
CONTENT = {"default.cfg": b"exec autoexec.cfg\n", "maps/start.bsp": bytes(range(256)) * 40, "empty": b""}


@pytest.fixture(params=["a.pak", "a.pk3", "a.wad"])
def path(request, tmp_path):
    return tmp_path / request.param


def write(path, content=CONTENT, mode="w", **options):
    with PakFile(path, mode, **options) as pak:
        for name, data in content.items():
            pak.writestr(name, data)
    return path


def content_of(path):
    with PakFile(path) as pak:
        return {name: pak.read(name) for name in pak.namelist()}


@pytest.mark.parametrize("path", QUAKE, ids=lambda path: path.name)
def test_archives_of_other_programs_read_as_by_vgio(path):
    theirs = vgio.quake.pak.PakFile(str(path))
    with PakFile(path) as ours:
        assert ours.namelist() == theirs.namelist()
        for info, other in zip(ours.infolist(), theirs.infolist(), strict=True):
            assert (info.filename, info.file_size, info.file_offset) == (other.filename, other.file_size, other.file_offset)
            # vgio reads nothing of an empty entry, by an error
            assert ours.read(info) == (theirs.open(other).read() if other.file_size else b"")


def test_an_archive_of_hrot_reads_as_by_vgio():
    (path,) = [path for path in OK if path.name == "hrot.pak"]
    theirs = vgio.hrot.pak.PakFile(str(path))
    with PakFile(path) as ours:
        assert ours.namelist() == theirs.namelist()
        assert [info.file_size for info in ours.infolist()] == [info.file_size for info in theirs.infolist()]


def test_a_compressed_archive_of_daikatana_reads():
    (path,) = [path for path in OK if path.name.startswith("daikatana")]
    with PakFile(path) as pak:
        assert any(info.compress_size < info.file_size for info in pak.infolist())
        assert all(len(pak.read(info)) == info.file_size for info in pak.infolist())


def test_what_is_written_reads_back(path):
    assert content_of(write(path)) == CONTENT


def test_what_is_written_others_read(tmp_path):
    pak = write(tmp_path / "a.pak")
    theirs = vgio.quake.pak.PakFile(str(pak))
    assert theirs.namelist() == list(CONTENT)
    assert theirs.read("maps/start.bsp") == CONTENT["maps/start.bsp"]
    with zipfile.ZipFile(write(tmp_path / "a.pk3")) as pk3:
        assert {name: pk3.read(name) for name in pk3.namelist()} == CONTENT
        assert pk3.testzip() is None
    with PakFile(tmp_path / "a.wad", "w") as wad:
        wad.writestr("palette", bytes(768), type=0x40)
    with vgio.quake.wad.WadFile(str(tmp_path / "a.wad")) as wad:
        assert (wad.namelist(), wad.getinfo("palette").type) == (["palette"], 0x40)
        assert wad.read("palette") == bytes(768)


def test_what_others_write_reads(tmp_path):
    with vgio.quake.pak.PakFile(str(tmp_path / "a.pak"), "w") as pak:
        pak.writestr("maps/start.bsp", b"a level")
    assert content_of(tmp_path / "a.pak") == {"maps/start.bsp": b"a level"}
    with zipfile.ZipFile(tmp_path / "a.pk3", "w", zipfile.ZIP_DEFLATED) as pk3:
        pk3.writestr("maps/start.bsp", b"a level" * 99)
    assert content_of(tmp_path / "a.pk3") == {"maps/start.bsp": b"a level" * 99}


def test_a_change_keeps_the_rest(path):
    write(path)
    write(path, {"new.cfg": b"new", "default.cfg": b"changed"}, mode="a")
    assert content_of(path) == {**CONTENT, "new.cfg": b"new", "default.cfg": b"changed"}


def test_what_is_added_is_seen_before_it_is_written(path):
    write(path)
    before = path.read_bytes()
    pak = PakFile(path, "a")
    pak.writestr("default.cfg", "changed")
    assert pak.read("default.cfg") == pak.open("default.cfg").read() == bytes(pak.view("default.cfg")) == b"changed"
    assert pak.read("maps/start.bsp") == CONTENT["maps/start.bsp"]
    assert sorted(pak.namelist()) == sorted(CONTENT) and pak.getinfo("default.cfg").file_size == 7
    assert "default.cfg" in pak and "none" not in pak
    assert path.read_bytes() == before
    pak.close()
    assert content_of(path)["default.cfg"] == b"changed"


def test_a_change_of_nothing_leaves_the_file(path):
    write(path)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    PakFile(path, "a").close()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("mode", ["w", "x", "a"])
def test_an_exception_leaves_what_was_there(path, mode):
    if mode != "x":
        write(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(ZeroDivisionError):
        with PakFile(path, mode) as pak:
            pak.writestr("default.cfg", "half")
            1 / 0
    assert (path.read_bytes() if path.exists() else None) == before
    assert [item.name for item in path.parent.iterdir()] == ([path.name] if before else [])


def test_a_file_object_is_read_and_written():
    buffer = io.BytesIO()
    with PakFile(buffer, "w") as pak:
        pak.writestr("a", b"1")
    buffer.seek(0)
    assert vgio.quake.pak.PakFile(buffer).namelist() == ["a"]
    buffer.seek(0)
    assert quakefs.is_pakfile(buffer) and PakFile(buffer).read("a") == b"1"
    with pytest.raises(ValueError):
        PakFile(buffer, "a")


def test_a_layout_is_kept(tmp_path):
    path = write(tmp_path / "a.pak", {"textures/a.tga": bytes(9999)}, layout="daikatana")
    with PakFile(path) as pak:
        assert pak.getinfo("textures/a.tga").compress_size < 9999
    write(path, {"b.cfg": b"b"}, mode="a")
    assert content_of(path) == {"textures/a.tga": bytes(9999), "b.cfg": b"b"}
    with pytest.raises(ValueError, match="layout"):
        write(tmp_path / "b.pak", layout="none")
    with pytest.raises(ValueError, match="kind"):
        write(tmp_path / "b.pak", kind="rar")


def test_a_file_that_is_there_is_not_made(path):
    write(path)
    with pytest.raises(FileExistsError) as raised:
        PakFile(path, "x")
    assert raised.value.errno == errno.EEXIST
    path.unlink()
    assert content_of(write(path, mode="x")) == CONTENT


def test_names_that_are_not_there(path):
    write(path)
    with PakFile(path) as pak:
        for ask in (pak.read, pak.getinfo, pak.open, pak.view, pak.extract):
            with pytest.raises(KeyError, match="none"):
                ask("none")
    with pytest.raises(IsADirectoryError):
        PakFile(path.parent)
    with pytest.raises(FileNotFoundError, match="folder is not there"):
        PakFile(path.parent / "none/a.pak", "w").close()
    with pytest.raises(FileNotFoundError) as raised:
        PakFile(path.with_name("none.pak"))
    assert raised.value.errno == errno.ENOENT and "none.pak" in raised.value.filename


def test_an_info_of_another_archive_is_a_name(tmp_path):
    one = PakFile(write(tmp_path / "one.pak", {"a": b"one's", "b": b"b"}))
    two = PakFile(write(tmp_path / "two.pak", {"b": b"b", "a": b"two's"}))
    assert two.read(one.getinfo("a")) == b"two's"


def test_a_closed_archive_says_so(path):
    pak = PakFile(write(path))
    view = pak.view("maps/start.bsp")
    pak.close()
    pak.close()
    for ask in (lambda: pak.read("default.cfg"), lambda: pak.writestr("a", b""), lambda: pak.extractall("."), pak.testzip):
        with pytest.raises(ValueError, match="closed"):
            ask()
    assert view == CONTENT["maps/start.bsp"]
    with PakFile(path) as pak, pytest.raises(ValueError, match="'r'"):
        pak.writestr("a", b"")


@pytest.mark.parametrize("cut", [0, 3, 11, 12, 100, -1])
def test_what_is_cut_short_is_an_error(path, cut):
    whole = write(path).read_bytes()
    path.write_bytes(whole[:cut])
    assert not quakefs.is_pakfile(path)
    with pytest.raises(quakefs.BadPakFile) as raised:
        PakFile(path)
    assert isinstance(raised.value, OSError) and raised.value.errno == errno.EIO
    assert str(raised.value)


def test_one_bad_entry_costs_no_other(tmp_path):
    image = bytearray(write(tmp_path / "a.pak", {"bad": b"bad", "good": b"good"}).read_bytes())
    at = image.rindex(b"bad".ljust(56, b"\0")) + 56
    image[at : at + 4] = (10**6).to_bytes(4, "little")
    (tmp_path / "a.pak").write_bytes(image)
    with PakFile(tmp_path / "a.pak") as pak:
        assert pak.read("good") == b"good"
        with pytest.raises(quakefs.BadPakFile, match="bad"):
            pak.read("bad")
        assert pak.testzip() == "bad"
        with pytest.raises(OSError, match="bad"):
            pak.extractall(tmp_path / "out")
    assert (tmp_path / "out/good").read_bytes() == b"good" and not (tmp_path / "out/bad").exists()


def test_files_are_extracted(path, tmp_path):
    with PakFile(write(path)) as pak:
        one = pak.extract("maps/start.bsp", tmp_path / "one")
        assert pathlib.Path(one).read_bytes() == CONTENT["maps/start.bsp"]
        assert os.path.samefile(one, tmp_path / "one/maps/start.bsp")
        pak.extractall(tmp_path / "all")
        pak.extractall(tmp_path / "all")
        pak.extractall(tmp_path / "some", ["empty", pak.getinfo("default.cfg")])
    for name, data in CONTENT.items():
        assert (tmp_path / "all" / name).read_bytes() == data
    assert sorted(item.name for item in (tmp_path / "some").iterdir()) == ["default.cfg", "empty"]


def test_no_name_leaves_the_folder(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.pk3", "w") as pk3:
        pk3.writestr("../out.txt", "out")
        pk3.writestr("in.txt", "in")
    with PakFile(tmp_path / "a.pk3") as pak:
        with pytest.raises(OSError, match="out.txt"):
            pak.extractall(tmp_path / "here")
        with pytest.raises(OSError, match="out.txt"):
            pak.extract("../out.txt", tmp_path / "here")
    assert not (tmp_path / "out.txt").exists() and (tmp_path / "here/in.txt").read_text() == "in"


def test_names_that_no_archive_may_have_are_refused(tmp_path):
    for name in ("../a", "/a", "a" * 60, ""):
        with pytest.raises(ValueError):
            write(tmp_path / "a.pak", {name: b""})
        assert not (tmp_path / "a.pak").exists()


def test_files_of_the_disk_are_added(path, tmp_path, monkeypatch):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/a.bsp").write_bytes(b"a level")
    monkeypatch.chdir(tmp_path)
    with PakFile(path, "w") as pak:
        pak.write("maps/a.bsp")
        pak.write(tmp_path / "maps/a.bsp", "maps/b.bsp")
        with pak.open("c.cfg", "w") as file:
            file.write(b"echo ")
            file.write(b"c")
        os.remove("maps/a.bsp")
        with pytest.raises(FileNotFoundError):
            pak.write("maps/a.bsp")
    assert content_of(path) == {"maps/a.bsp": b"a level", "maps/b.bsp": b"a level", "c.cfg": b"echo c"}


def test_the_first_of_two_entries_of_a_name_counts(tmp_path):
    image = bytearray(write(tmp_path / "a.pak", {"one": b"1", "two": b"2"}).read_bytes())
    at = image.rindex(b"two\0")
    image[at : at + 3] = b"one"
    with PakFile(io.BytesIO(image)) as pak:
        assert pak.namelist() == ["one", "one"]
        assert pak.read("one") == pak.read(pak.NameToInfo["one"]) == b"1"
        assert pak.read(pak.infolist()[1]) == b"2"


def test_the_table_has_each_entry(path):
    out = io.StringIO()
    with PakFile(write(path)) as pak:
        pak.printdir(out)
        assert pak.testzip() is None and [found for found in pak.verify() if found.severity == "error"] == []
    assert [line.split()[0] for line in out.getvalue().splitlines()[1:]] == list(CONTENT)
