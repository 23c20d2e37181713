"""Where downloads go, and how they are written and undone."""

import pathlib
import zipfile

import pytest

import quakefs

LEVEL = b"\x1d\0\0\0a level"
PD = {"pd-3.0/pd/progs.dat": b"x", "pd-3.0/pd/maps/start.bsp": LEVEL, "pd-3.0/readme.txt": b"unzip and play"}


def zipped(path: pathlib.Path, files: dict[str, bytes]) -> pathlib.Path:
    with zipfile.ZipFile(path, "w") as download:
        for name, content in files.items():
            download.writestr(name, content)
    return path


def tree(base: pathlib.Path) -> list[str]:
    return sorted(path.relative_to(base).as_posix() for path in base.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("name", "files", "options", "parts", "words"),
    [
        ("pd-3.0.zip", PD, {}, [("pd-3.0/pd/", "pd/", "folder", 2, "pd", None)], ["-game", "pd", "+map", "start"]),
        ("maps.zip", {"mine.bsp": LEVEL}, {}, [("", "id1/maps/", "levels", 1, None, None)], ["+map", "mine"]),
        (
            "flat.zip",
            {"progs.dat": b"x", "readme.txt": b"Start it:\nquake -game frikbot\n"},
            {},
            [("", "frikbot/", "text", 2, "frikbot", "quake -game frikbot")],
            ["-game", "frikbot"],
        ),
        ("flat.zip", {"progs.dat": b"x"}, {}, [("", "flat/", "name", 1, "flat", None)], ["-game", "flat"]),
        ("flat.zip", {"progs.dat": b"x"}, {"name": "mine"}, [("", "mine/", "as", 1, "mine", None)], ["-game", "mine"]),
        (
            "mod.zip",
            {"MYMOD/progs.dat": b"x"},
            {"base": True},
            [("MYMOD/", "mymod/", "folder", 1, "mymod", None)],
            ["-game", "mymod"],
        ),
        ("pak0.zip", {"quoth/progs.dat": b"x"}, {}, [("quoth/", "quoth/", "folder", 1, "quoth", None)], ["-quoth"]),
    ],
)
def test_a_download_tells_where_it_goes_and_how_it_starts(base, tmp_path, name, files, options, parts, words):
    (base / "mymod").mkdir()
    if options.get("base"):
        options = {"base": base}
    placed = quakefs.place(zipped(tmp_path / name, files), **options)
    answer = placed.answer
    fields = [(part.from_, part.to, part.by, len(part.files), part.game, part.text) for part in answer.parts]
    assert (answer.family, fields) == ("Quake", parts) and all(part.reason for part in answer.parts)
    assert [start.words for start in answer.starts] == [words]
    assert repr(placed).endswith(f"{name}: {parts[0][3]} files>")
    assert answer.nothing is answer.reason is answer.help is None
    assert answer.guess == (parts[0][2] == "name")


def test_a_start_has_the_arguments_of_mount(tmp_path):
    download = zipped(tmp_path / "pd.zip", {**PD, "pd-3.0/pd/readme.txt": b"quake -quoth -game pd"})
    (start,) = quakefs.place(download).answer.starts
    assert (start.missions, start.games, start.level) == (["quoth"], ["pd"], "start")


def test_an_engine_tells_the_base_game_of_levels(tmp_path):
    answer = quakefs.place(zipped(tmp_path / "a.zip", {"a.dm2": b"x"}), engine="yquake2").answer
    assert (answer.family, answer.parts[0].to) == ("Quake II", "baseq2/demos/")


@pytest.mark.parametrize(
    ("files", "nothing"), [({}, "empty"), ({"a.txt": b"x"}, "texts"), ({"ogre.mdl": b"IDPO"}, "loose")]
)
def test_a_download_that_goes_nowhere_tells_why_and_is_not_written(base, tmp_path, files, nothing):
    placed = quakefs.place(zipped(tmp_path / "a.zip", files), base)
    answer = placed.answer
    assert (answer.nothing, answer.parts, answer.left) == (nothing, [], list(files)) and placed.effects() is None
    with pytest.raises(ValueError, match="nothing of it goes into a game") as raised:
        placed.write()
    assert str(raised.value).endswith(answer.reason)
    assert getattr(raised.value, "__notes__", [None]) == [answer.help]


def test_a_download_is_written_and_undone(base, tmp_path):
    placed = quakefs.place(zipped(tmp_path / "pd.zip", PD), base)
    before = tree(base)
    assert placed.answer.left == ["pd-3.0/readme.txt"]
    journal = placed.write()
    assert pathlib.Path(journal) == base / "quakefs-place-1.jsonl"
    assert set(tree(base)) - set(before) == {"pd/maps/start.bsp", "pd/progs.dat", "quakefs-place-1.jsonl"}
    assert quakefs.mount(base, games="pd")["maps/start.bsp"] == LEVEL
    again = quakefs.place(tmp_path / "pd.zip", base)
    assert (again.answer.existing.same, again.answer.existing.different) == (2, [])
    assert placed.write() is again.write() is None, "all files are there already"
    undone = quakefs.undo(journal)
    assert undone.complete and {row.path for row in undone.steps} == {"pd", "pd/maps", "pd/maps/start.bsp", "pd/progs.dat"}
    assert all(row.done and row.before is row.error is None for row in undone.steps)
    assert tree(base) == before and not (base / "pd").exists()
    with pytest.raises(FileNotFoundError):
        quakefs.undo(journal)


def test_an_undo_keeps_changed_files_and_tells_them(base, tmp_path):
    journal = quakefs.place(zipped(tmp_path / "pd.zip", PD), base).write()
    (base / "pd/progs.dat").write_bytes(b"mine")
    undone = quakefs.undo(journal)
    left = {row.path: (row.error, row.shared) for row in undone.steps if not row.done}
    assert not undone.complete and left.keys() == {"pd/progs.dat", "pd"}
    assert left["pd/progs.dat"][0] and left["pd"] == (None, True)
    assert (base / "pd/progs.dat").read_bytes() == b"mine" and pathlib.Path(journal).exists()
    (base / "pd/progs.dat").unlink()
    assert quakefs.undo(journal).complete and not pathlib.Path(journal).exists()


def test_effects_are_what_the_engine_would_load_differently(base, tmp_path):
    effects = quakefs.place(zipped(tmp_path / "maps.zip", {"maps/mine.bsp": LEVEL}), base).effects()
    assert (effects.added, effects.overridden) == (1, {})
    assert [(change.name, change.layer, change.overrides) for change in effects.changes] == [("maps/mine.bsp", "id1/", None)]
    over = quakefs.place(zipped(tmp_path / "pd.zip", {**PD, "pd-3.0/pd/default.cfg": b"x"}), base).effects()
    assert over.overridden == {"id1/pak0.pak": 1}
    assert quakefs.place(tmp_path / "pd.zip").effects() is None, "there is no game"


def test_a_guess_is_not_written(base, tmp_path):
    download = zipped(tmp_path / "flat.zip", {"progs.dat": b"x"})
    with pytest.raises(ValueError, match="flat/ is a guess") as raised:
        quakefs.place(download, base).write()
    assert raised.value.__notes__ == ["name the game directory, such as flat"]
    assert not (base / "flat").exists()
    assert quakefs.place(download, base, name="flat").write()


def test_files_that_differ_are_listed_and_nothing_is_written(base, tmp_path):
    (base / "pd").mkdir()
    differing = {f"pd/{number}.cfg": b"theirs" for number in range(6)}
    for name in differing:
        (base / name).write_bytes(b"mine")
    placed = quakefs.place(zipped(tmp_path / "pd.zip", {"pd/progs.dat": b"x", **differing}), base)
    before = tree(base)
    assert placed.answer.existing.different == list(differing)
    with pytest.raises(FileExistsError, match="6 files differ: pd/0.cfg, .* and 2 others") as raised:
        placed.write()
    assert raised.value.filename == str(tmp_path / "pd.zip") and raised.value.__notes__
    assert tree(base) == before


def test_a_folder_without_the_game_is_refused(base, tmp_path):
    download = zipped(tmp_path / "pd.zip", PD)
    no_game, no_folder = "no game to put it into", "the base directory does not exist"
    for folder, why in ((None, no_game), (base / "none", no_folder), (base / "id1", "has no folder id1")):
        with pytest.raises(FileNotFoundError, match=why):
            quakefs.place(download, folder).write()
    assert not (base / "id1/pd").exists() and not (base / "none").exists()


@pytest.mark.parametrize("name", ["", ".", "..", "../pd", "a/b", "/tmp", "a\\b", "a:b"])
def test_a_name_is_one_folder(tmp_path, name):
    answer = quakefs.place(zipped(tmp_path / "pd.zip", PD), name=name).answer
    assert answer.nothing == "bad-name" and not answer.parts and answer.reason


def test_a_file_that_cannot_be_written_is_an_error_that_names_the_journal(base, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (base / "pd").mkdir()
    (base / "pd/maps").symlink_to(outside)
    with pytest.raises(OSError, match="symbolic link") as raised:
        quakefs.place(zipped(tmp_path / "pd.zip", PD), base).write()
    assert list(outside.iterdir()) == []
    (note,) = raised.value.__notes__
    assert "quakefs-place-1.jsonl" in note and (base / "pd/progs.dat").exists()


def test_what_is_no_download_is_an_error(base, tmp_path):
    with pytest.raises(FileNotFoundError):
        quakefs.place(tmp_path / "none.zip")
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04")
    with pytest.raises(quakefs.BadPakFile):
        quakefs.place(broken)
    with pytest.raises(ValueError, match='no engine is called "doom"'):
        quakefs.place(zipped(tmp_path / "pd.zip", PD), engine="doom")
    (base / "journal.jsonl").write_text('{"journal":"place","version":1}\n{"step":"wrote","path":"../a","size":1,"crc":1}\n')
    with pytest.raises(ValueError, match="not below the base directory"):
        quakefs.undo(base / "journal.jsonl")
