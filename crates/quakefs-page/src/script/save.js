// Saving: one copy, or all files that the search shows as a ZIP.

/** The limits of a ZIP without ZIP64. */
const ZIP_FILES = 0xffff;
const ZIP_BYTES = 0xffff_0000;

function download(blob, path) {
  const link = make("a", { download: path.split("/").pop(), href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const saveButton = (copy) => button("Save this copy", async () => {
  const { answer, blob } = await askSafely({ source: copyKey(copy) });
  if (blob) download(blob, answer.path ?? "file");
  else showError(errorOf(answer));
});

async function saveAll() {
  const wanted = matching.filter((file) => !file.needed);
  if (wanted.length > ZIP_FILES || wanted.reduce((sum, file) => sum + file.size, 0) > ZIP_BYTES) {
    showStatus("The page can save at most 65535 files and 4 GiB in one ZIP: narrow the files by a search.", true);
    return;
  }
  const { answer, blob } = await askSafely({ zip: wanted.map(copyKey) });
  if (!blob) {
    showError(errorOf(answer));
    return;
  }
  download(blob, `${data.game[0] || "quake"}.zip`);
  const { left } = answer;
  const skipped = left.length ? `; ${number(left.length)} skipped because the name is not a path or the file cannot be read: ${left.slice(0, 5).join(", ")}` : "";
  showStatus(`${counted(answer.count, "file", "files")} saved${skipped}.`);
}
