"""Catalogs and listings as tables, and games in notebooks and other processes."""

import json
import os
import pathlib
import pickle
import re
import shutil
import stat
import subprocess
import sys
import zipfile

import pytest

import quakefs

REPOSITORY = pathlib.Path(__file__).parents[3]
QUAKEFS = os.environ.get("QUAKEFS") or shutil.which(REPOSITORY / "target/debug/quakefs")


@pytest.fixture
def collection(tmp_path):
    """Archives with folders, damage, late faults, a hostile size, a name that is not UTF-8, and an archive inside another."""
    shutil.copytree("testdata/game", tmp_path / "game")
    (tmp_path / "bad.pak").write_bytes(b"PACK\xff\xff\xff\x7f\xff\xff\xff\x7f")
    (tmp_path / "empty.zip").write_bytes(b"PK\5\6" + bytes(18))
    with zipfile.ZipFile(tmp_path / "nested.zip", "w", zipfile.ZIP_DEFLATED) as download:
        download.write("testdata/game/id1/pak0.pak", "id1/pak0.pak")
        download.writestr("folder/", b"")
        download.writestr("a \"quoted\" name\n.txt", b"readme")
    with quakefs.PakFile(tmp_path / "names.pak", "w") as pak:
        pak.writestr(b"caf\xe9.cfg", b"x")
    damaged = bytearray((tmp_path / "nested.zip").read_bytes())
    damaged[60] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(damaged)
    return tmp_path


def of_command(*words):
    if QUAKEFS is None:
        pytest.skip("the command is not built: cargo build -p quakefs-cli")
    run = subprocess.run([QUAKEFS, "pak", "catalog", *map(str, words)], capture_output=True)
    assert run.returncode < 2, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return [{key: value for key, value in row.items() if key != "type"} for row in rows]


@pytest.mark.parametrize("options", [{}, {"nested": True}])
def test_a_catalog_has_the_rows_of_the_command(collection, options):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(quakefs.catalog(collection, **options))
    table.validate(full=True)
    rows = table.to_pylist()
    assert rows == of_command(*(f"--{name}" for name in options), collection)
    assert any(row["fault"] for row in rows) and any(row["container"] for row in rows) == bool(options)


def test_databases_read_a_catalog(collection):
    pyarrow, polars, duckdb, pandas = map(pytest.importorskip, ("pyarrow", "polars", "duckdb", "pandas"))
    catalog = quakefs.catalog([collection])
    rows = pyarrow.table(catalog).to_pylist()
    assert polars.DataFrame(catalog).to_dicts() == rows
    found = duckdb.sql("select count(*), sum(size), count(nullif(fault, '')) from catalog").fetchall()[0]
    assert found == (len(rows), sum(row["size"] or 0 for row in rows), sum(bool(row["fault"]) for row in rows))
    assert len(pandas.DataFrame.from_arrow(catalog)) == len(rows)


def test_a_large_catalog_arrives_in_batches(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    files = {f"sound/{i}.wav": b"%d" % i for i in range(70_000)}
    with quakefs.PakFile(tmp_path / "a.pak", "w") as pak:
        for name, content in files.items():
            pak.writestr(name, content)
    for number in range(300):
        shutil.copy("testdata/game/id1/pak0.pak", tmp_path / f"b{number:03}.pak")
    reader = pyarrow.RecordBatchReader.from_stream(quakefs.catalog(tmp_path))
    batches = list(reader)
    assert len(batches) > 2 and max(batch.num_rows for batch in batches) <= 1 << 16
    names = [name.as_py() for batch in batches for name in batch["name"]]
    assert names[:70_000] == list(files)
    assert len({archive.as_py() for batch in batches for archive in batch["archive"]}) == 301


def test_a_stream_that_is_not_read_is_released(collection):
    pyarrow = pytest.importorskip("pyarrow")
    quakefs.catalog(collection).__arrow_c_stream__()
    reader = pyarrow.RecordBatchReader.from_stream(quakefs.catalog(collection))
    schema = reader.schema
    del reader
    assert schema.names[:3] == ["schema", "archive", "archive_size"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_reads_a_catalog(collection):
    pyarrow = pytest.importorskip("pyarrow")
    code = f"""if True:
        import os, signal, pyarrow, quakefs
        signal.alarm(60)
        rows = lambda: pyarrow.table(quakefs.catalog({str(collection)!r})).num_rows
        before, child = rows(), os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(0 if rows() == before else 1)
        print(os.waitpid(child, 0)[1])"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert run.stdout.strip() == b"0", run.stderr


def test_what_is_not_there_is_a_row_and_what_is_empty_is_none(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    (row,) = pyarrow.table(quakefs.catalog(tmp_path / "none.pak")).to_pylist()
    assert row["fault_kind"] == "io" and row["entry"] is None and row["name"] == ""
    assert pyarrow.table(quakefs.catalog(tmp_path)).num_rows == 0
    with pytest.raises(TypeError):
        quakefs.catalog(None)


def test_a_game_is_a_mapping_and_its_files_are_rows(quake):
    assert quake.keys() == set(quake) and len(quake.values()) == len(quake)
    rows = [file._asdict() for file in quake.files()]
    assert [row["name"] for row in rows] == list(quake) and all(rows[0].keys() == row.keys() for row in rows)


def test_paths_have_a_stat(quake):
    level = (quake / "maps/start.bsp").stat()
    assert stat.S_ISREG(level.st_mode) and level.st_size == 203 and level.st_mtime == quake.find("maps/start.bsp").modified
    assert stat.S_ISDIR((quake / "maps").stat().st_mode) and stat.S_ISDIR(quake.path().stat().st_mode)
    with pytest.raises(FileNotFoundError):
        (quake / "maps/none.bsp").stat()


def test_a_walk_finds_what_iterdir_finds(quake):
    found = {str(folder / name) for folder, _, files in quake.path().walk() for name in files}
    assert found == set(quake)
    bottom_up = [str(folder) for folder, _, _ in quake.path().walk(top_down=False)]
    assert bottom_up[-1] == "" and sorted(bottom_up) == sorted(str(folder) for folder, _, _ in quake.path().walk())
    walk = quake.path().walk()
    next(walk)[1].clear()
    assert next(walk, None) is None


def test_a_game_is_pickled_by_its_options(base):
    (base / "mod/maps").mkdir(parents=True)
    (base / "mod/maps/start.bsp").write_bytes(b"a level")
    quake = quakefs.mount(base, engine="ironwail", games="mod", mounts=[base / "id1/pak0.pak"], listed=True)
    for again in (pickle.loads(pickle.dumps(quake)), pickle.loads(pickle.dumps(quake.remount()))):
        assert [layer.name for layer in again.layers] == [layer.name for layer in quake.layers]
        assert again.engine == "ironwail" and again.read("maps/start.bsp") == b"a level"
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).read('maps/start.bsp'))"
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(quake), capture_output=True)
    assert run.stdout.strip() == b"b'a level'", run.stderr
    options = quake.__reduce__()[0].keywords
    assert options.keys() == {"base", "disk", "listed", "mapped", "engine", "games", "mounts"}


def test_files_are_pickled_with_their_game(base):
    (base / "mod").mkdir()
    (base / "mod/default.cfg").write_bytes(b"mine")
    quake = quakefs.mount(base, games="mod")
    copies = quake.copies("default.cfg")
    assert len(copies) > 1
    again = pickle.loads(pickle.dumps(copies + quake.glob("*.cfg")))
    assert [file._asdict() for file in again] == [file._asdict() for file in copies + quake.glob("*.cfg")]
    assert [bytes(file.read()) for file in again[:2]] == [bytes(file.read()) for file in copies[:2]]
    # the game is mounted once for all of them
    assert len({id(file.__reduce__()[1][0]) for file in again}) == 1
    pickled = pickle.dumps(copies[0])
    (base / "mod/default.cfg").unlink()
    with pytest.raises(KeyError, match="default.cfg"):
        pickle.loads(pickled)


def test_notebooks_show_tables_and_run_nothing(tmp_path, quake):
    html = quake._repr_html_()
    assert html.count("<tr>") == 1 + len(quake.layers) and "mymod/pak1.pak" in html
    path = tmp_path / "a.pak"
    with quakefs.PakFile(path, "w") as pak:
        pak.writestr("<script>alert(1)</script>", b"x")
        pak.writestr(b"caf\xe9", b"x")
        for number in range(30):
            pak.writestr(f"{number}.cfg", b"x")
    html = quakefs.PakFile(path)._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html and "12 more" in html
    html.encode()
    pak.close()
    assert pak._repr_html_().startswith("&lt;quakefs.PakFile")


def test_a_missing_game_is_a_warning():
    with pytest.warns(UserWarning, match="pdd"):
        quakefs.mount("testdata/game", engine="quakespasm", games="pdd")


def test_the_script_of_the_page_fills_tables():
    for library in ("duckdb", "polars", "pyarrow"):
        pytest.importorskip(library)
    (code,) = re.findall(r"```python\n(import duckdb.*?)```", pathlib.Path("docs/python.md").read_text(), re.DOTALL)
    exec(code.replace("/games/quake", "testdata/game"), {})


def test_a_catalog_is_pickled_with_its_options(collection):
    catalog = quakefs.catalog(collection, hashes=False, prefix="games:")
    again = pickle.loads(pickle.dumps(catalog))
    assert again.archives == catalog.archives and repr(again) == repr(catalog)
