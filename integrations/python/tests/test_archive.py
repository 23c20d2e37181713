import errno
import io
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import warnings
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
        assert ours.namelist() == theirs.namelist() and len(ours) == len(ours.namelist())
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
    with pytest.raises(FileNotFoundError, match="folder does not exist"):
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


def test_only_what_is_on_disk_is_extracted_and_tested(path, tmp_path):
    with PakFile(write(path), "a") as pak:
        pak.extract("empty", tmp_path / "before")
        pak.writestr("default.cfg", "changed")
        for ask in (lambda: pak.extract("default.cfg", tmp_path), lambda: pak.extractall(tmp_path), pak.testzip, pak.verify):
            with pytest.raises(ValueError, match="not written yet"):
                ask()
    with PakFile(path) as pak:
        assert pathlib.Path(pak.extract("default.cfg", tmp_path / "after")).read_bytes() == b"changed"


def test_a_closed_archive_has_no_list(path):
    pak = PakFile(write(path))
    pak.close()
    asked = [pak.namelist, pak.infolist, pak.printdir, lambda: pak.NameToInfo, lambda: "empty" in pak, lambda: list(pak)]
    for ask in asked:
        with pytest.raises(ValueError, match="closed"):
            ask()


def test_an_archive_that_could_not_be_written_stays_open(path):
    pak = PakFile(write(path), "a")
    pak.writestr("new.cfg", "new")
    os.rename(path, path.with_name("away"))
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            pak.close()
        assert pak.read("new.cfg") == b"new"
        with pytest.raises(FileNotFoundError):
            pak.read("empty")
    os.rename(path.with_name("away"), path)
    assert pak.read("empty") == b"" and pak.namelist() == [*CONTENT, "new.cfg"]
    pak.close()
    assert content_of(path) == {**CONTENT, "new.cfg": b"new"}


def test_a_change_by_another_program_is_said(path):
    pak = PakFile(write(path), "a")
    pak.writestr("new.cfg", "new")
    with PakFile(path, "a") as other:
        other.writestr("other.cfg", "other")
    with pytest.raises(OSError, match="another program") as raised:
        pak.close()
    assert raised.value.errno == errno.EBUSY
    assert pak.namelist() == [*CONTENT, "other.cfg", "new.cfg"] and pak.read("other.cfg") == b"other"
    pak.close()
    assert content_of(path) == {**CONTENT, "other.cfg": b"other", "new.cfg": b"new"}


def test_a_name_that_cannot_be_stored_is_refused_where_it_is_given(path):
    pak = PakFile(write(path), "a")
    with pytest.raises(ValueError):
        pak.writestr("a" * 70000, "x")
    with pytest.raises(ValueError):
        pak.open("a" * 70000, "w")
    assert pak.namelist() == list(CONTENT) and pak.read("empty") == b""
    pak.close()
    assert content_of(path) == CONTENT


def test_an_entry_that_is_still_written_keeps_the_archive_open(path):
    pak = PakFile(path, "w")
    entry = pak.open("default.cfg", "w")
    entry.write(b"echo")
    with pytest.raises(ValueError, match="still being written"):
        pak.close()
    entry.close()
    pak.close()
    assert content_of(path) == {"default.cfg": b"echo"}
    with pytest.raises(ValueError, match="closed"):
        pak.open("more.cfg", "w")


def test_an_entry_whose_writing_failed_is_none(path):
    with PakFile(path, "w") as pak:
        with pytest.raises(ZeroDivisionError), pak.open("half.cfg", "w") as entry:
            entry.write(b"half")
            1 / 0
        assert entry.closed
        pak.writestr("whole.cfg", "whole")
    assert content_of(path) == {"whole.cfg": b"whole"}


def test_an_archive_that_is_never_closed_says_so(path):
    with pytest.warns(ResourceWarning, match="not closed"):
        PakFile(path, "w")
    write(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PakFile(path)
        PakFile(path, "a")
    assert content_of(path) == CONTENT


@pytest.mark.parametrize("data", [5, -1, None, [1, 2]])
def test_a_content_is_bytes_or_text(data):
    with PakFile(io.BytesIO(), "w") as pak:
        with pytest.raises(TypeError):
            pak.writestr("a", data)
        pak.writestr("a", memoryview(b"1"))
        pak.writestr("b", bytearray(b"2"))
        assert (pak.read("a"), pak.read("b")) == (b"1", b"2")


def test_what_cannot_be_read_is_what_testzip_names(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.pk3", "w") as pk3:
        pk3.writestr("../up", "sound")
        pk3.writestr("deep", bytes(1 << 20), zipfile.ZIP_DEFLATED)
        pk3.writestr("last", "the last one")
    with PakFile(tmp_path / "a.pk3") as pak:
        assert pak.testzip() is None
        assert "../up" in {found.name for found in pak.verify()}
    image = (tmp_path / "a.pk3").read_bytes()
    (tmp_path / "a.pk3").write_bytes(image.replace(b"the last one", b"the lost one"))
    with PakFile(tmp_path / "a.pk3") as pak:
        assert pak.testzip() == "last"
    path = write(tmp_path / "a.pak", {"a": bytes(9999)})
    with PakFile(path, mapped=False) as pak:
        os.truncate(path, 100)
        assert pak.testzip() == "a"
        with pytest.raises(OSError):
            pak.read("a")


def test_an_archive_with_a_name_twice_is_extracted(tmp_path):
    image = bytearray(write(tmp_path / "a.pak", {"one": b"1", "two": b"2", "x": b"x"}).read_bytes())
    at = image.rindex(b"two\0")
    image[at : at + 3] = b"one"
    with PakFile(io.BytesIO(image)) as pak:
        pak.extractall(tmp_path / "out")
    assert {item.name: item.read_bytes() for item in (tmp_path / "out").iterdir()} == {"one": b"1", "x": b"x"}


def test_the_order_is_that_of_the_archive_also_before_it_is_written(path):
    write(path)
    with PakFile(path, "a") as pak:
        pak.writestr("new.cfg", "new")
        pak.writestr("default.cfg", "changed")
        seen = pak.namelist()
        assert [*pak.NameToInfo] == seen
    with PakFile(path) as pak:
        assert pak.namelist() == seen == [*CONTENT, "new.cfg"]


def test_names_of_a_wad_are_the_same_in_capitals_of_ascii(tmp_path):
    path = write(tmp_path / "a.wad", {"LaVa": b"old"})
    with PakFile(path, "a") as wad:
        wad.writestr("lAvA", "new")
        wad.writestr("sky", "1")
        wad.writestr("SKY", "2")
        seen = {name: wad.read(name) for name in wad.namelist()}
    assert content_of(path) == seen == {"LaVa": b"new", "sky": b"2"}
    names = ["\u00df", "SS", "\u00e9", "\u00c9", "\u0131", "I"]
    assert list(content_of(write(tmp_path / "b.wad", dict.fromkeys(names, b"")))) == names
    with pytest.raises(ValueError, match="from 0 to 255"):
        PakFile(io.BytesIO(), "w", kind="wad").writestr("a", b"", type=300)


@pytest.mark.parametrize("kind", ["pak", "pk3"])
def test_a_name_twice_is_listed_as_it_will_be(tmp_path, kind):
    path = write(tmp_path / f"a.{kind}", {"one": b"1", "two": b"2", "wne": b"3"})
    path.write_bytes(path.read_bytes().replace(b"wne", b"one"))
    with PakFile(path, "a") as pak:
        assert pak.namelist() == ["one", "two", "one"]
        pak.writestr("one", "new")
        seen = [(info.filename, info.file_size) for info in pak.infolist()]
    with PakFile(path) as pak:
        assert [(info.filename, info.file_size) for info in pak.infolist()] == seen
        assert {pak.read(info) for info in pak.infolist() if info.filename == "one"} == {b"new"}


@pytest.mark.parametrize("name", ["a", b"a"])
def test_what_is_added_is_found_as_what_is_written(name):
    with PakFile(io.BytesIO(), "w") as pak:
        pak.writestr(name, "x")
        info = pak.getinfo(name)
        assert pak.getinfo(info).filename == "a" and pak.read(info) == pak.read(name) == b"x" and name in pak
        for ask in (pak.read, pak.getinfo, pak.__contains__, lambda wrong: pak.writestr(wrong, "")):
            for wrong in (5, None):
                with pytest.raises(TypeError):
                    ask(wrong)
        pak.writestr(zipfile.ZipInfo("b"), "as zipfile")
        assert pak.namelist() == ["a", "b"]


def test_a_layout_and_a_kind_are_checked_where_they_are_given(tmp_path):
    for options in ({"kind": ""}, {"kind": "rar"}, {"layout": "none"}, {"kind": "zip", "layout": "sin"}):
        with pytest.raises(ValueError):
            PakFile(tmp_path / "a.pak", "w", **options)
    with pytest.raises(ValueError, match="this archive is a 'zip'"):
        PakFile(write(tmp_path / "a.pk3"), kind="pak")
    # an empty archive of Daikatana is as one of Quake
    path = write(tmp_path / "a.pak", {}, layout="daikatana")
    write(path, {"textures/a.tga": bytes(9999)}, mode="a", layout="daikatana")
    with PakFile(path) as pak:
        assert pak.getinfo("textures/a.tga").compress_size < 9999
    with open(tmp_path / "b.pk3", "w+b") as file:
        write(file)
        assert zipfile.ZipFile(file).namelist() == list(CONTENT)


def test_what_is_not_there_is_made_by_a_change(path):
    assert content_of(write(path, mode="a")) == CONTENT
    assert content_of(write(path, {"more.cfg": b""}, mode="a")) == {**CONTENT, "more.cfg": b""}


def test_a_file_object_is_read_from_its_start():
    file = tempfile.TemporaryFile()
    write(file)
    assert file.tell() > 0 and quakefs.is_pakfile(file) and file.tell() > 0
    with PakFile(file) as pak:
        assert pak.namelist() == list(CONTENT) and pak.testzip() is None and isinstance(pak.verify(), list)


def test_an_error_names_its_archive(tmp_path):
    (tmp_path / "bad.pak").write_bytes(b"PACK")
    with pytest.raises(quakefs.BadPakFile) as raised:
        PakFile(tmp_path / "bad.pak")
    assert raised.value.filename == str(tmp_path / "bad.pak")
    with zipfile.ZipFile(tmp_path / "a.pk3", "w") as pk3:
        pk3.writestr("a", "the content")
    image = (tmp_path / "a.pk3").read_bytes()
    (tmp_path / "a.pk3").write_bytes(image.replace(b"the content", b"the CONTENT"))
    with PakFile(tmp_path / "a.pk3") as pak:
        for ask in (lambda: pak.read("a"), lambda: pak.extract("a", tmp_path / "out"), lambda: pak.extractall(tmp_path / "out")):
            with pytest.raises(quakefs.BadPakFile) as raised:
                ask()
            assert raised.value.filename == str(tmp_path / "a.pk3")
            assert str(raised.value).count("entry 0 (a)") == 1
    with PakFile(tmp_path / "a.pk3", "a") as pak:
        pak.writestr("b", "b")
        with pytest.raises(quakefs.BadPakFile, match="CRC"):
            pak.close()
        # what was there is there still, and can be asked
        assert pak.read("b") == b"b" and pak.namelist() == ["a", "b"]
        pak.writestr("a", "whole")
    assert content_of(tmp_path / "a.pk3") == {"a": b"whole", "b": b"b"}
    with pytest.raises(FileNotFoundError) as raised:
        PakFile(tmp_path / "none.pak")
    assert "os error" not in str(raised.value)
    with pytest.raises(ValueError, match="NUL"):
        PakFile("a\0.pak")


def test_a_folder_in_the_place_of_a_file_says_so(tmp_path):
    (tmp_path / "out/default.cfg").mkdir(parents=True)
    with PakFile(write(tmp_path / "a.pak")) as pak, pytest.raises(IsADirectoryError):
        pak.extractall(tmp_path / "out")
    assert (tmp_path / "out/maps/start.bsp").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_the_path_of_a_name_that_is_no_utf8_is_that_of_its_file(tmp_path):
    name = "\udcff.cfg"
    with PakFile(write(tmp_path / "a.pk3", {name: b"1"})) as pak:
        assert pathlib.Path(pak.extract(name, tmp_path / "out")).read_bytes() == b"1"


def test_a_claim_beyond_the_limit_is_refused_until_it_is_raised(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.pk3", "w", zipfile.ZIP_DEFLATED) as pk3:
        pk3.writestr("a", bytes(9999))
    with PakFile(tmp_path / "a.pk3") as pak:
        with pytest.raises(OSError, match="9999") as raised:
            pak.extractall(tmp_path / "out", limit=9998)
        assert "limit=" in raised.value.__notes__[0] and not (tmp_path / "out").exists()
        pak.extractall(tmp_path / "out", limit=9999)
    assert (tmp_path / "out/a").read_bytes() == bytes(9999)


LITTLE_MEMORY = """
import resource, sys, quakefs
quakefs.PakFile(sys.argv[1]).read("small")
for mapped in (True, False):
    # the map itself takes 2 GiB
    resource.setrlimit(resource.RLIMIT_AS, ((3 if mapped else 2) << 30, -1))
    pak = quakefs.PakFile(sys.argv[1], mapped=mapped)
    for ask in [pak.read] if mapped else [pak.read, pak.view]:
        try:
            ask("large")
        except MemoryError:
            print("MemoryError")
    assert pak.read("small") == b"small"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_where_memory_is_short_is_a_memory_error(tmp_path):
    path = write(tmp_path / "a.pak", {"small": b"small", "large": b"large"})
    image = bytearray(path.read_bytes())
    # the last entry is 2 GiB of a hole behind the directory
    at = image.rindex(b"large\0") + 56
    image[at : at + 8] = struct.pack("<2I", len(image), 1 << 31)
    path.write_bytes(image)
    os.truncate(path, len(image) + (1 << 31))
    run = subprocess.run([sys.executable, "-c", LITTLE_MEMORY, str(path)], capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == (["MemoryError"] * 3, "")


def test_a_file_object_that_takes_a_part_at_a_time_gets_all(tmp_path):
    class Slow(io.FileIO):
        def write(self, data):
            return super().write(data[:100])

    with Slow(tmp_path / "a.pak", "w") as file:
        write(file, kind="pak")
    assert content_of(tmp_path / "a.pak") == CONTENT


def test_a_name_is_said_as_it_is(tmp_path):
    folder = tmp_path / "a (os error 2) b"
    with pytest.raises(FileNotFoundError) as raised:
        PakFile(folder / "none.pak")
    assert raised.value.filename == str(folder / "none.pak") and "(os error 2)" not in raised.value.strerror
    with PakFile(write(tmp_path / "a.pak")) as pak, pytest.raises(KeyError, match=re.escape("x (os error 3) z")):
        pak.read("x (os error 3) z")
    with zipfile.ZipFile(tmp_path / "a.pk3", "w") as pk3:
        pk3.writestr("../x", "out")
    with PakFile(tmp_path / "a.pk3") as pak, pytest.raises(OSError) as raised:
        pak.extract("../x", tmp_path / "out")
    assert str(raised.value).count("not written") == 1


def test_a_file_is_a_path_or_a_file_object():
    for wrong in (None, 5, ["a.pak"]):
        with pytest.raises(TypeError, match="expected a path or a file object"):
            quakefs.PakFile(wrong)
