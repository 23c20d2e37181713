"""Attacks by filesystems, file objects and archives."""

import io
import json
import os
import pathlib
import struct
import threading
import zipfile

import pytest

import quakefs

fsspec = pytest.importorskip("fsspec")


def pak(**files):
    out = io.BytesIO()
    with quakefs.PakFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


class Files:
    """A filesystem with what `mount` needs."""

    def __init__(self, files):
        self.files = {f"quake/{name}": content for name, content in files.items()}

    def ls(self, path, detail=True):
        start = path.strip("/") + "/"
        names = sorted({start + name[len(start) :].split("/")[0] for name in self.files if name.startswith(start)})
        if not names and path.strip("/") not in self.files:
            raise FileNotFoundError(path)
        return [self.info(name) for name in names]

    def info(self, path):
        path = path.strip("/")
        if path in self.files:
            return {"name": path, "type": "file", "size": len(self.files[path])}
        if any(name.startswith(path + "/") for name in self.files):
            return {"name": path, "type": "directory", "size": 0}
        raise FileNotFoundError(path)

    def cat_file(self, path, start=None, end=None):
        return self.files[path.strip("/")][start:end]


GAME = {"id1/a.cfg": b"echo a\n", "id1/sub/b.cfg": b"echo b\n"}


def test_a_file_whose_size_is_not_told_is_not_empty():
    class Untold(Files):
        def info(self, path):
            info = super().info(path)
            return {**info, "size": None} if info["type"] == "file" else info

    quake = quakefs.mount("quake", disk=Untold({**GAME, "id1/pak0.pak": pak(c=b"packed")}))
    assert bytes(quake["a.cfg"]) == b"echo a\n" and bytes(quake["c"]) == b"packed"
    assert quake.find("a.cfg").size == 7


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("method", ["ls", "info", "cat_file"])
def test_an_end_of_the_program_in_a_filesystem_is_not_a_missing_file(end, method):
    class Ending(Files):
        armed = True

    def ending(self, *arguments, **options):
        if self.armed and "id1" in str(arguments[0]):
            raise end("now")
        return getattr(Files, method)(self, *arguments, **options)

    setattr(Ending, method, ending)
    files = Ending({**GAME, "id1/pak0.pak": pak(c=b"packed")})
    with pytest.raises(end):
        quake = quakefs.mount("quake", disk=files)
        quake.read("a.cfg")
    files.armed = False
    assert bytes(quakefs.mount("quake", disk=files)["a.cfg"]) == b"echo a\n"


def test_an_end_of_the_program_ends_a_catalog_and_no_later_call():
    pyarrow = pytest.importorskip("pyarrow")

    class Ending(Files):
        def cat_file(self, path, start=None, end=None):
            raise KeyboardInterrupt("now")

    files = Ending({"id1/pak0.pak": pak(c=b"packed" * 1000)})
    with pytest.raises(OSError, match="KeyboardInterrupt"):
        pyarrow.table(quakefs.catalog("quake/id1/pak0.pak", disk=files))
    assert bytes(quakefs.mount("quake", disk=Files(GAME))["a.cfg"]) == b"echo a\n"


def test_a_name_that_is_no_text_does_not_lose_its_folder():
    for name in ["id1/caf\udce9.cfg", "id1/\ud800.cfg"]:
        quake = quakefs.mount("quake", disk=Files({**GAME, name: b"x"}))
        assert bytes(quake["a.cfg"]) == b"echo a\n", ascii(name)
        assert "a.cfg" in quake


def test_folders_without_an_end_are_listed_to_an_end():
    class Endless(Files):
        def ls(self, path, detail=True):
            path = path.strip("/")
            return [{"name": f"{path}/{name}", "type": "directory", "size": 0} for name in ("id1", "a")]

        def info(self, path):
            return {"name": path.strip("/"), "type": "directory", "size": 0}

    quake = quakefs.mount("quake", disk=Endless({}))
    assert len(quake) == 0


def test_a_filesystem_that_reads_the_file_while_it_is_read_goes_on():
    class Again(Files):
        depth = 0

        def cat_file(self, path, start=None, end=None):
            if path.endswith("pak0.pak") and self.depth == 0 and hasattr(self, "quake"):
                self.depth += 1
                self.quake.read("c")
                self.depth -= 1
            return super().cat_file(path, start, end)

    files = Again({"id1/pak0.pak": pak(c=os.urandom(100_000), d=os.urandom(100_000))})
    quake = files.quake = quakefs.mount("quake", disk=files)
    done = []
    thread = threading.Thread(target=lambda: done.append(bytes(quake.read("d"))), daemon=True)
    thread.start()
    thread.join(20)
    assert done and len(done[0]) == 100_000


def test_a_file_object_that_reads_itself_is_an_error():
    class Itself(io.RawIOBase):
        def __init__(self, content):
            self.file = io.BytesIO(content)

        def readable(self):
            return True

        def seekable(self):
            return True

        def seek(self, offset, whence=0):
            return self.file.seek(offset, whence)

        def read(self, size=-1):
            if hasattr(self, "archive"):
                self.archive.read("c")
            return self.file.read(size)

    file = Itself(pak(c=os.urandom(100_000), d=b"d" * 100_000))
    archive = quakefs.PakFile(file)
    file.archive = archive
    with pytest.raises((RuntimeError, OSError), match="reads itself"):
        archive.read("d")


def test_pak_lists_no_name_that_leads_out_and_no_thousand_folders():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ["good/a.txt", "../evil.txt", "good/../../evil.txt", "/".join("a" * 30_000), "b/./c"]:
            archive.writestr(name, "x")
    with pytest.warns(UserWarning, match="4 names are no path"):
        pak = fsspec.filesystem("pak", fo=out)
    assert pak.find("") == ["good/a.txt"]
    assert len(pak._folders) < 10


def test_a_stream_can_be_read_by_several_threads(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow

    for number in range(300):
        (tmp_path / f"{number}.pak").write_bytes(pak(**{f"f{i}": b"x" for i in range(20)}))
    reader = pyarrow.RecordBatchReader.from_stream(quakefs.catalog(tmp_path))
    counts = []

    def read():
        count = 0
        while True:
            try:
                count += len(reader.read_next_batch())
            except StopIteration:
                break
        counts.append(count)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 6000


ROWS = json.loads((pathlib.Path(__file__).parents[3] / "testdata/hostile.json").read_text(encoding="utf-8"))


def test_every_door_treats_hostile_names_alike(tmp_path):
    payload, rows = b"", b""
    for row in ROWS:
        content = row.get("text", "").encode()
        rows += struct.pack("<56sII", row["entry"].encode(), 12 + len(payload), row.get("size", len(content)))
        payload += content
    archive = tmp_path / "base/id1/pak0.pak"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(struct.pack("<4sII", b"PACK", 12 + len(payload), len(rows)) + payload + rows)
    quake = quakefs.mount(tmp_path / "base", engine="darkplaces", on="linux")
    asked = {row["entry"] for row in ROWS if row["asked"]}
    assert set(quake) == asked == {name for name in (row["entry"] for row in ROWS) if name in quake}
    game, pak = fsspec.filesystem("quake", fo=quake), fsspec.filesystem("pak", fo=str(archive), layout="quake")
    for row in ROWS:
        name, text = row["entry"], row.get("text")
        if row["asked"] and text is not None:
            assert quake.read(name) == text.encode()
        else:
            with pytest.raises((KeyError, OSError, ValueError)) as raised:
                quake.read(name)
            assert all(letter.isprintable() or letter == "\n" for letter in str(raised.value)), str(raised.value)
    for filesystem in (game, pak):
        listed = filesystem.find("")
        assert not any(part == ".." for name in listed for part in name.split("/")) and not any(map(os.path.isabs, listed))
