// The renames after which every system finds the files: a list, and a file that does them on Windows.

/** Each rename as the old path and the new one; the contents of a folder come before the folder. */
function renames() {
  const found = new Map();
  const steps = findings.flatMap(({ advice }) => advice).filter(({ step, entry }) => step === "rename" && entry == null);
  for (const { of: [path], to } of steps.filter(({ of: [path], to }) => path.toLowerCase() === to.toLowerCase())) {
    const parts = path.split("/");
    to.split("/").forEach((part, index) => {
      const from = parts.slice(0, index + 1).join("/");
      if (parts[index] !== part) found.set(from, from.slice(0, from.lastIndexOf("/") + 1) + part);
    });
  }
  const depth = ([path]) => path.split("/").length;
  return [...found].sort((a, b) => depth(b) - depth(a) || byOrder(a[0], b[0]));
}

/** The characters that no file name on Windows has, and control characters. */
const NO_NAME = /["*:<>?|\\\x00-\x1f]|(^|\/)\.\.(\/|$)/;

/** The renames as a batch file for the base directory. */
function batchFile(all) {
  const quoted = (text) => `"${text.replaceAll("%", "%%").replaceAll("/", "\\")}"`;
  const lines = all.filter((pair) => !pair.some((path) => NO_NAME.test(path)))
    .map(([from, to]) => `ren ${quoted(from)} ${quoted(to.slice(to.lastIndexOf("/") + 1))}`);
  return ["@echo off", "chcp 65001 >nul", 'cd /d "%~dp0"', ...lines, "pause", ""].join("\r\n");
}

/** Whether a rename is of a file or folder that a download would bring: it is not in its place yet. */
const isOfDownload = ([from]) => mounted?.placed.some((row) => row.to.some((path) => `${path}/`.startsWith(`${from}/`)));

function showRenames() {
  const all = renames();
  const place = byId("renames");
  place.hidden = !all.length;
  if (!all.length) return;
  const rows = all.slice(0, 500).map(([from, to]) => [name(from), name(to)]);
  const save = button("Save them as rename.bat", () => download(new Blob([batchFile(all)]), "rename.bat"));
  place.replaceChildren(
    make("summary", {}, counted(all.length, "rename lets", "renames let"), " every system find these files", data.more_findings.length ? ", and more are needed" : ""),
    ...(all.some(isOfDownload) ? [make("p", {}, "Put the download in its place first.")]
      : SYSTEM === "windows" ? [make("p", {}, save, ` Put it beside ${baseName()} and start it there.`)] : []),
    table(["rename", "to"], rows));
}
