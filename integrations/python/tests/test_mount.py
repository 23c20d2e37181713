import dataclasses
import errno
import gc
import importlib.resources
import inspect
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Mapping

import pytest

import quakefs


def test_a_name_is_the_content_of_the_copy_that_the_engine_loads(quake):
    with quakefs.PakFile("testdata/game/mymod/pak1.pak") as pak:
        expected = pak.read("maps/start.bsp")
    assert quake["maps/start.bsp"] == expected
    assert quake.read("maps/start.bsp") == expected
    assert quake.find("maps/start.bsp").read() == expected
    assert quake.get("maps/start.bsp") == expected
    with quake.open("maps/start.bsp") as file:
        assert file.read() == expected
    assert quake[b"maps/start.bsp"] == expected


def test_a_name_that_is_not_there_is_what_python_raises(quake):
    assert "maps/none.bsp" not in quake
    assert quake.find("maps/none.bsp") is None
    assert quake.get("maps/none.bsp") is None
    assert quake.get("maps/none.bsp", b"") == b""
    with pytest.raises(KeyError, match="maps/none.bsp: no layer has this file"):
        quake["maps/none.bsp"]
    for read in (quake.read, quake.open, lambda name: (quake / name).read_bytes()):
        with pytest.raises(FileNotFoundError) as raised:
            read("maps/none.bsp")
        assert raised.value.errno == errno.ENOENT
        assert raised.value.filename == "maps/none.bsp"
    with pytest.raises(KeyError):
        quake["../quake"]
    with pytest.raises(TypeError):
        quake[3]


def test_options_that_are_none_are_refused(tmp_path):
    with pytest.raises(ValueError, match='no engine is called "doom"'):
        quakefs.mount("testdata/game", engine="doom")
    with pytest.raises(FileNotFoundError, match="does not exist") as raised:
        quakefs.mount(tmp_path / "none")
    assert raised.value.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError, match="no folder id1"):
        quakefs.mount(tmp_path)
    with pytest.raises(ValueError, match="nothing to mount"):
        quakefs.mount()
    with pytest.raises(TypeError, match=r"mount\(\) got an unexpected keyword argument 'game'"):
        quakefs.mount("testdata/game", game="a")
    with pytest.raises(FileNotFoundError, match="no such game is installed"):
        quakefs.mount("steam:no-such-game")
    with pytest.raises(ValueError, match="rules: "):
        quakefs.mount("testdata/game", rules="name = 3")
    with pytest.raises(ValueError, match="pattern"):
        quakefs.mount("testdata/game").glob("a{b")


def test_what_to_do_is_a_note(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        quakefs.mount("testdata/game/id1")
    assert raised.value.__notes__


def test_every_option_counts(base, tmp_path):
    both = quakefs.mount("testdata/game", engine="darkplaces", games=["gapmod", "mymod"])
    assert {layer.game for layer in both.layers} == {"id1", "gapmod", "mymod"}
    hipnotic = quakefs.mount("testdata/game", missions=["hipnotic"])
    assert [finding.kind for finding in hipnotic.findings] == ["missing-directory"]
    based = quakefs.mount("testdata/game", engine="ioquake3", settings={"fs_basegame": "mymod"})
    assert [layer.game for layer in based.layers] == ["mymod"]
    with pytest.raises(ValueError, match="fs_nothing"):
        quakefs.mount("testdata/game", engine="ioquake3", settings={"fs_nothing": "mymod"})
    alone = quakefs.mount(mounts=[base / "id1/pak0.pak"])
    assert list(alone) == ["default.cfg", "progs/ogre.mdl"]
    folder = quakefs.mount("testdata/game", mounts=[base / "id1"])
    assert [layer.kind for layer in folder.layers][0] == "dir"
    assert quakefs.mount("testdata/game", on="windows").engine == "quakespasm"
    user = tmp_path / "user"
    (user / "id1").mkdir(parents=True)
    (user / "id1/mine.cfg").write_text("mine")
    assert quakefs.mount(base, engine="quakespasm", user_directory=user).read("mine.cfg") == b"mine"


def test_a_view_is_no_copy_is_read_only_and_keeps_its_archive(base):
    quake = quakefs.mount(base)
    view = quake["progs/ogre.mdl"]
    assert isinstance(view, memoryview) and view.readonly
    with pytest.raises(TypeError):
        view[0] = 1
    with pytest.raises((TypeError, BufferError)):
        io.BytesIO(b"x").readinto(view)
    part = view[256:260]
    del quake, view
    gc.collect()
    assert bytes(part) == bytes(range(4))
    # the pages are the file's: the archive is mapped, and in the process no second time
    if sys.platform == "linux":
        maps = pathlib.Path("/proc/self/maps").read_text()
        assert maps.count("id1/pak0.pak") == 1
        del part
        gc.collect()
        assert "id1/pak0.pak" not in pathlib.Path("/proc/self/maps").read_text()


def test_an_archive_that_is_not_mapped_is_read_by_position(base):
    quake = quakefs.mount(base, mapped=False)
    if sys.platform == "linux":
        assert "id1/pak0.pak" not in pathlib.Path("/proc/self/maps").read_text()
    with open(base / "id1/pak0.pak", "r+b") as file:
        file.truncate(12)
    with pytest.raises(OSError, match="read failed") as raised:
        quake["progs/ogre.mdl"]
    assert raised.value.errno == errno.EIO and raised.value.filename == str(base / "id1/pak0.pak")


def test_copies_say_where_they_are(quake):
    copies = quake.copies("maps/start.bsp")
    assert [copy.layer for copy in copies] == ["mymod/pak1.pak", "mymod/pak0.pak", "id1/pak0.pak", "id1/"]
    assert copies[0].entry == 0 and copies[-1].entry is None
    assert pathlib.Path(copies[-1].path).read_bytes() == copies[-1].read()
    path, offset, length = copies[2].extent
    with open(path, "rb") as file:
        file.seek(offset)
        assert file.read(length) == copies[2].read()
    assert copies[2].method == "stored"
    assert copies[2].modified == pytest.approx(pathlib.Path(path).stat().st_mtime)


def test_which_says_why(quake):
    found = quake.which("maps/start.bsp")
    assert found.found and found.layer == "mymod/pak1.pak"
    assert [copy.layer for copy in found.overridden] == ["mymod/pak0.pak", "id1/pak0.pak", "id1/"]
    assert all(copy.because and copy.rule for copy in found.overridden)
    missing = quakefs.mount("testdata/game", games="gapmod").which("maps/gap3.bsp")
    assert (missing.layer, missing.overridden, missing.because) == (None, [], "skipped")
    assert missing.reason and missing.help
    with pytest.raises(dataclasses.FrozenInstanceError):
        missing.found = True


def test_the_names_are_those_of_glob(quake):
    names = list(quake)
    assert names == sorted(names) == [file.name for file in quake.files()]
    assert [file.name for file in quake.glob("**")] == names
    assert all(name in quake for name in names)


def test_findings_have_a_kind_and_a_sentence():
    gap = quakefs.mount("testdata/game", games="gapmod")
    assert {"gap"} <= {finding.kind for finding in gap.findings}
    stops, overridden = quakefs.mount("testdata/game").check()
    assert stops.kind == "engine-stops" and stops.stops
    assert (overridden.kind, overridden.layer, overridden.name) == ("overridden-loose", "id1/", "maps/start.bsp")
    assert overridden.reason and overridden.help
    assert [finding.stops for finding in quakefs.mount("testdata/game").stops()] in ([], [True])


def test_a_check_groups_what_is_alike(base):
    for name in ("ONE", "TWO", "THREE"):
        (base / "id1" / f"{name}.CFG").write_text(name)
    quake = quakefs.mount(base, engine="quakespasm", on="linux")
    grouped, every = quake.check(), quake.check(all=True)
    assert len(grouped) < len(every) and {row.kind for row in grouped} <= {row.kind for row in every}


def test_a_level_says_what_it_needs():
    lamps = quakefs.mount("testdata/lamps", games="dusk")
    levels = [file.name for file in lamps.glob("maps/*.bsp")]
    answer = lamps.needs()
    assert [row.level for row in answer.levels] == ["maps/dusk.bsp"] and answer.engine
    assert [row.level for row in lamps.needs(*levels).levels] == levels
    answer = lamps.needs("maps/dusk.bsp")
    (level,) = answer.levels
    missing = [need for need in level.needed if need.missing]
    assert len(missing) == answer.missing > 0 and all(need.presence == "required" and need.reason for need in missing)
    for need in level.needed:
        assert (need.layer is not None) == any(name in lamps for name in [need.name, *need.others])
    assert {need.kind for need in level.needed} >= {"model"}
    with pytest.raises(FileNotFoundError, match="maps/none.bsp"):
        lamps.needs("maps/none.bsp")
    with pytest.raises(ValueError, match="not a level: a program"):
        lamps.needs("progs.dat")
    assert lamps.verdict().verdict == "does-not-start" and not lamps.verdict().good


def test_the_search_path_is_data():
    answer = quakefs.mount("testdata/game", engine="quakespasm", games="mymod").describe()
    assert (answer.chosen.engine, answer.chosen.because) == ("quakespasm", "named")
    assert pathlib.Path(answer.chosen.base) == pathlib.Path("testdata/game") and answer.chosen.base_because == "named"
    assert [(layer.game_directory, layer.rank) for layer in answer.layers][::4] == [("mymod", 2), ("id1", 1)]
    assert answer.registration.registration == "shareware" and answer.findings


def test_each_question_of_the_command_has_rows(quake, tmp_path):
    row = quake.overridden()[0]
    assert row.file.index < row.overridden.index and row.rule
    assert "loose" in {row.because for row in quake.compare("quakespasm", "darkplaces@windows")}
    assert {winner.engine for winner in quake.compare("quakespasm", "darkplaces@windows")[0].engines} == {
        "quakespasm",
        "darkplaces@windows",
    }
    with pytest.raises(ValueError, match="are for different games"):
        quake.compare("quakespasm", "yquake2")
    with pytest.raises(ValueError, match='no engine is called "doom"'):
        quake.compare("doom")
    assert [row.name for row in quake.mods()][:2] == ["gapmod", "id1"]
    companions = quake.companions("maps/start.bsp")
    assert companions.level.layer == "mymod/pak1.pak" and companions.companions == quake.skipped_companions() == []
    (texture,) = quakefs.mount("testdata/game", engine="darkplaces").substitutes("texture", "wall", level="start")
    assert texture.loaded is None and texture.level == "start" and texture.tried
    with pytest.raises(ValueError, match="does not know what winquake loads"):
        quakefs.mount("testdata/game", engine="winquake").substitutes("sound", "wall")
    with pytest.raises(ValueError, match="expected texture, sky"):
        quake.substitutes("wall", "wall")
    (tmp_path / "id1").mkdir()
    (tmp_path / "id1/progs.dat").write_text("no program")
    with pytest.raises(ValueError, match="the unused files are unknown"):
        quakefs.mount(tmp_path).unused()
    lamps = quakefs.mount("testdata/lamps", games="dusk")
    assert all(row.size for row in lamps.unused())
    assert lamps.needs("dusk") == lamps.needs("maps/dusk.bsp") and lamps.needs("dusk").missing


def test_rows_are_those_of_the_library():
    rows = {name for name, thing in vars(quakefs._rows).items() if dataclasses.is_dataclass(thing)}
    # no method gives these
    assert rows - set(quakefs.__all__) == {"CauseRow", "NeedDifferenceRow"}
    part = {"from": "a/", "to": "b/", "by": "as", "reason": "", "text": None, "game": None, "files": ["c"]}
    (row,) = quakefs._answers.made("PartRow", [part])
    assert row == quakefs.PartRow(**{"from_" if key == "from" else key: value for key, value in part.items()})
    assert quakefs._answers.made("EffectsRow", None) is None
    assert set(quakefs._answers._fields(quakefs.IncidentRow)) >= {"class", "entity"}
    assert quakefs._answers._fields(quakefs.WhichRow)["companion"][1] is quakefs.CompanionRow


def test_a_game_is_looked_for_from_a_folder(base):
    (base / "mymod/maps").mkdir(parents=True)
    quake = quakefs.mount(folder=base / "mymod/maps")
    assert {layer.game for layer in quake.layers} == {"id1", "mymod"}
    assert quake.describe().chosen.base_because == "above" and "the base directory is" in quake.notes[0]
    with pytest.raises(FileNotFoundError):
        quakefs.mount(folder=base.parent / "none")


def test_a_download_lies_over_the_game(base):
    with zipfile.ZipFile(base / "pd.zip", "w") as download:
        download.writestr("pd/maps/start.bsp", "a level")
    for over in (base / "pd.zip", [base / "pd.zip"], [("pd", str(base / "pd.zip"))]):
        quake = quakefs.mount(base, games="pd", over=over)
        assert quake["maps/start.bsp"] == b"a level" and "pd/" in quake.notes[0]
    with pytest.warns(UserWarning, match="does not search pd/"):
        quakefs.mount(base, over=base / "pd.zip")


def test_rules_as_text_are_an_engine(base):
    quake = quakefs.mount(base, rules='inherit = "quakespasm"\nname = "mine"\n')
    assert quake.engine == "mine" and quake.describe().chosen.as_of is None


def test_installed_games_are_rows(tmp_path):
    steam = tmp_path / ".steam/steam/steamapps"
    game = steam / "common/Quake"
    (game / "Id1").mkdir(parents=True)
    (tmp_path / ".steam/steam/config").mkdir()
    answer = quakefs.installed(tmp_path)
    assert all(row.name.startswith(row.store) and row.problems or row.starts for row in answer.games)


def test_changes_say_what_to_load_again(base):
    (base / "id1/autoexec.cfg").write_text("one")
    old = quakefs.mount(base, listed=True)
    (base / "id1/autoexec.cfg").write_text("another")
    (base / "id1/new.cfg").write_text("new")
    with quakefs.PakFile(base / "id1/pak0.pak") as before, quakefs.PakFile(base / "id1/pak0.pak", "w") as after:
        after.writestr("default.cfg", "echo changed\n")
        after.writestr("progs/ogre.mdl", before.read("progs/ogre.mdl"))
    new = old.remount()
    assert [(change.kind, change.name) for change in new.changes(old)] == [
        ("changed", "autoexec.cfg"),
        ("changed", "default.cfg"),
        ("added", "new.cfg"),
    ]
    change = new.changes(old)[1]
    assert (bytes(change.before.read()), bytes(change.after.read())) == (b"echo packed\n", b"echo changed\n")


def runs_beside(work):
    """How often this thread has its turn while another does the work."""
    interval = sys.getswitchinterval()
    # a thread that does not give the lock away keeps it
    sys.setswitchinterval(1000)
    done, counted = threading.Event(), 0
    working = threading.Thread(target=lambda: (work(), done.set()))
    try:
        working.start()
        while not done.is_set():
            counted += 1
            done.wait(0.001)
        working.join()
    finally:
        sys.setswitchinterval(interval)
    return counted


def test_other_threads_run_while_files_are_read(tmp_path):
    # an entry that takes long to decode, and one that takes long to copy
    (tmp_path / "baseq3").mkdir()
    with zipfile.ZipFile(tmp_path / "baseq3/pak0.pk3", "w", zipfile.ZIP_DEFLATED) as pk3:
        pk3.writestr("default.cfg", bytes(200_000_000))
    with quakefs.PakFile(tmp_path / "a.pak", "w") as pak:
        pak.writestr("large", bytes(200_000_000))
    quake = quakefs.mount(tmp_path, engine="ioquake3")
    pak = quakefs.PakFile(tmp_path / "a.pak")
    assert runs_beside(lambda: quake["default.cfg"]) > 3
    assert runs_beside(lambda: pak.read("large")) > 3


def test_threads_share_a_mount(base):
    quake = quakefs.mount(base)
    expected = bytes(quake["progs/ogre.mdl"])
    wrong = []

    def read():
        for _ in range(200):
            if quake["progs/ogre.mdl"] != expected or len(quake.copies("default.cfg")) != 1:
                wrong.append(1)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_name_that_is_no_utf8_can_be_asked_for(tmp_path):
    path = tmp_path / "a.pak"
    name = b"gfx/\xe9\xff.lmp".decode("utf-8", "surrogateescape")
    with quakefs.PakFile(path, "w") as pak:
        pak.writestr(name, b"high")
    quake = quakefs.mount(mounts=[path])
    assert list(quake) == [name]
    assert quake[name] == b"high" and quake[name.encode("utf-8", "surrogateescape")] == b"high"
    assert quakefs.PakFile(path).read(name) == b"high"


def test_a_path_is_a_traversable(quake):
    start = quake / "maps" / "start.bsp"
    config = quake / "config.cfg"
    assert isinstance(start, importlib.resources.abc.Traversable)
    assert (start.name, start.stem, start.suffix, str(start)) == ("start.bsp", "start", ".bsp", "maps/start.bsp")
    assert start.is_file() and start.exists() and not start.is_dir()
    assert start.parent == quake / "maps" and hash(start.parent) == hash(quake / "maps")
    assert start.parent.is_dir() and not start.parent.is_file()
    assert not (quake / "nothing").exists()
    assert start.read_bytes() == quake["maps/start.bsp"]
    with importlib.resources.as_file(start) as path:
        assert path.read_bytes() == start.read_bytes()
    with config.open("rb") as binary, config.open() as text:
        assert binary.read().decode() == text.read() == config.read_text()
    with pytest.raises(ValueError):
        start.open("w")
    with pytest.raises(FileNotFoundError):
        list((quake / "nothing").iterdir())


def test_a_tree_of_paths_is_that_of_zipfile(tmp_path):
    names = ["default.cfg", "maps/a/b.bsp", "maps/c.bsp", "progs/ogre.mdl"]
    with zipfile.ZipFile(tmp_path / "a.pk3", "w") as pk3:
        for name in names:
            pk3.writestr(name, name)

    def walk(path):
        for item in sorted(path.iterdir(), key=lambda item: item.name):
            yield item.name, item.is_dir(), item.is_file(), item.exists()
            if item.is_dir():
                yield from walk(item)
            else:
                yield item.read_text(), item.suffix, item.stem, item.parent.is_dir()

    ours = quakefs.mount(mounts=[tmp_path / "a.pk3"]).path()
    assert list(walk(ours)) == list(walk(zipfile.Path(tmp_path / "a.pk3")))
    assert [str(path) for path in ours.glob("**/*.bsp")] == ["maps/a/b.bsp", "maps/c.bsp"]


def test_a_file_object_seeks_as_one_of_bytes(base):
    quake = quakefs.mount(base)
    expected = io.BytesIO(quake.read("progs/ogre.mdl"))
    with quake.open("progs/ogre.mdl") as file:
        for step in (lambda f: f.read(10), lambda f: f.seek(-5, 2), lambda f: f.read(), lambda f: f.seek(300), lambda f: f.read(3),
                     lambda f: f.seek(2, 1), lambda f: f.tell(), lambda f: f.readline(), lambda f: f.seek(10**9), lambda f: f.read()):
            assert step(file) == step(expected)
        with pytest.raises(ValueError):
            file.seek(-1)
    with pytest.raises(ValueError):
        file.read()


def test_engines_can_be_mounted():
    assert {"winquake", "quakespasm", "ironwail"} <= set(quakefs.engines())
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", quakefs.__version__)


FORKED = """
import os, quakefs, sys
quake = quakefs.mount("testdata/game", games="mymod")
levels = ["maps/start.bsp", "maps/mine.bsp", "maps/mymod1.bsp"]
before = len(quake.needs(*levels).levels)
if (child := os.fork()) == 0:
    os._exit(0 if len(quake.needs(*levels).levels) == before == 3 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_process_that_forks_can_ask_again():
    assert subprocess.run([sys.executable, "-c", FORKED], timeout=60).returncode == 0


def test_one_name_need_not_be_in_a_list(base):
    with quakefs.PakFile(base / "over.pak", "w") as pak:
        pak.writestr("default.cfg", "over\n")
    for source in (base / "over.pak", str(base / "over.pak"), [base / "over.pak"]):
        assert quakefs.mount(base, mounts=source)["default.cfg"] == b"over\n"
    quake = quakefs.mount("testdata/game", games="mymod")
    assert list(quake) == list(quakefs.mount("testdata/game", games="mymod"))
    for wrong in (5, [5], {"mymod": 1, 2: 3}):
        with pytest.raises(TypeError):
            quakefs.mount("testdata/game", games=wrong)


def test_what_is_no_game_is_what_the_engine_makes_of_it():
    quake = quakefs.mount("testdata/game", games="nothing")
    assert "nothing" in quake.findings[0].location
    with pytest.raises(FileNotFoundError):
        quakefs.mount("testdata/game/mymod", engine="quake2", games="nothing")


@pytest.fixture
def odd(tmp_path):
    """Names that look like patterns, like paths, or like nothing."""
    names = ["maps[1]/a.bsp", "maps1/b.bsp", "b{c/d", "*/e", "./f/g", "h\udcff/i.cfg", "h\udcff/\udcfe"]
    with quakefs.PakFile(tmp_path / "a.pak", "w") as pak:
        for number in range(len(names)):
            pak.writestr(f"{number}" * 20, f"{number}")
    image = (tmp_path / "a.pak").read_bytes()
    for number, name in enumerate(names):
        placeholder = (f"{number}" * 20).encode()
        image = image.replace(placeholder, name.encode("utf-8", "surrogateescape").ljust(20, b"\0"))
    (tmp_path / "a.pak").write_bytes(image)
    return quakefs.mount(mounts=tmp_path / "a.pak", engine="ironwail"), names


def test_each_name_has_a_path(odd):
    quake, names = odd
    assert sorted(quake) == sorted(names)
    for name in quake:
        for path in (quake / name, quake.path(name), quake.path(name.encode("utf-8", "surrogateescape"))):
            assert path.is_file() and path.read_bytes() == quake[name], name
    assert sorted(str(path) for path in quake.path().glob("**")) == sorted(names)
    assert all(path.read_bytes() == quake[str(path)] for path in quake.path().glob("**"))


def test_a_pattern_below_a_folder_is_of_that_folder(odd):
    quake, _ = odd
    below = {folder: [str(path) for path in (quake / folder).glob("*")] for folder in ("maps[1]", "b{c", "*", "h\udcff")}
    assert below == {
        "maps[1]": ["maps[1]/a.bsp"],
        "b{c": ["b{c/d"],
        "*": ["*/e"],
        "h\udcff": ["h\udcff/i.cfg", "h\udcff/\udcfe"],
    }
    assert [str(path) for path in (quake / "h\udcff").glob("\udcfe*")] == ["h\udcff/\udcfe"]
    assert [file.name for file in quake.glob("h\udcff/\udcfe")] == ["h\udcff/\udcfe"]


def test_a_path_does_what_those_of_zipfile_do(quake):
    maps = quake / pathlib.PurePath("maps")
    start = maps / pathlib.PurePath("start.bsp")
    assert start == quake / "maps/start.bsp" == maps.joinpath("./start.bsp") and not start.is_symlink()
    assert start.relative_to(maps) == "start.bsp" and start.match("*.bsp")
    assert (quake / "a/b.tar.gz").suffixes == [".tar", ".gz"]
    assert [str(path) for path in quake.path().rglob("start.bsp")] == ["maps/start.bsp"]
    for ask in (maps.open, maps.read_bytes, maps.read_text):
        with pytest.raises(IsADirectoryError):
            ask()
    config = quake / "config.cfg"
    expected = config.read_bytes().decode()
    assert config.read_text("latin1") == config.read_text(encoding="latin1", newline=None) == expected.replace("\r\n", "\n")
    assert config.open("r", "latin1").encoding == "latin1"
    assert config.open("r", None).encoding == config.open("r", encoding=None).encoding == config.open().encoding == "utf-8"
    with pytest.raises(ValueError):
        config.open("rb", encoding="latin1")


def test_an_info_does_not_keep_its_archive(base):
    path = base / "id1/pak0.pak"
    info = quakefs.PakFile(path).infolist()[0]
    gc.collect()
    maps = pathlib.Path("/proc/self/maps")
    if maps.exists():
        assert str(path) not in maps.read_text()
    assert quakefs.PakFile(path).read(info) == b"echo packed\n"


def test_the_keywords_of_a_mount_are_explained():
    named = set(inspect.signature(quakefs.mount).parameters) - {"options"}
    assert set(quakefs.Options.__annotations__) == set(quakefs._mount._READ)
    for keyword in named | set(quakefs.Options.__annotations__):
        assert f" {keyword}:" in quakefs.mount.__doc__, keyword


def test_without_an_engine_the_program_in_the_base_directory_decides(tmp_path):
    (tmp_path / "id1").mkdir()
    assert quakefs.mount(tmp_path).engine == "quakespasm"
    (tmp_path / "vkQuake.exe").write_bytes(b"")
    assert quakefs.mount(tmp_path).engine == "vkquake"
    assert quakefs.mount(tmp_path, engine="fte").engine == "fte"


def test_a_search_path_is_a_mapping():
    quake = quakefs.mount("testdata/game", games="mymod")
    assert isinstance(quake, Mapping)
    assert len(quake) == len(list(quake)) > 5
    assert list(quake.keys()) == list(quake) and "progs.dat" in quake.keys()
    assert [(name, bytes(content)) for name, content in quake.items()] == [(name, quake.read(name)) for name in quake]
    assert [len(content) for content in quake.values()] == [file.size for file in quake.files()]
    assert dict(quake)["progs.dat"] == quake["progs.dat"]


def test_files_and_entries_are_rows():
    quake = quakefs.mount("testdata/game", games="mymod")
    for file in quake.files():
        row = file._asdict()
        assert list(row) == ["name", "layer", "entry", "size", "modified", "method", "path"]
        assert all(row[field] == getattr(file, field) for field in row)
    for info in quakefs.PakFile("testdata/game/id1/pak0.pak").infolist():
        row = info._asdict()
        assert list(row) == ["filename", "file_size", "compress_size", "file_offset"]
        assert all(row[field] == getattr(info, field) for field in row)


def test_a_game_that_is_missing_warns():
    with pytest.warns(UserWarning, match="mymodd/: "):
        quake = quakefs.mount("testdata/game", games="mymodd")
    assert any(finding.kind == "missing-directory" for finding in quake.findings)


LOOPING = """
import pathlib, quakefs, shutil, signal, struct, sys
# a shell ignores it for programs in the background
signal.signal(signal.SIGINT, signal.default_int_handler)
base = pathlib.Path(sys.argv[1])
(base / "mod/maps").mkdir(parents=True)
(base / "id1").mkdir()
shutil.copy("testdata/lamps/id1/progs.dat", base / "id1")
# the work is paid for by the size of the files
with open(base / "mod/large.wav", "wb") as file:
    file.truncate(1 << 36)
text = b"{ classname worldspawn } { classname misc_loop }"
level = struct.pack("<31i", 29, 124, len(text), 0, 0, 124 + len(text), 4, *[0] * 24) + text + bytes(4)
for number in range(5000):
    (base / f"mod/maps/{number}.bsp").write_bytes(level)
quake = quakefs.mount(base, engine="quakespasm", games="mod")
print("ready", flush=True)
try:
    getattr(quake, sys.argv[2])()
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize("question", ["needs", "check"])
def test_an_interrupt_ends_long_work(tmp_path, question):
    # the whole work would take many minutes
    command = [sys.executable, "-c", LOOPING, tmp_path, question]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60)[0] == "stopped\n"
        finally:
            process.kill()
