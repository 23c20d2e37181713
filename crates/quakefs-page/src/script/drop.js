// The files of a drop, and of the two buttons that choose files.

/** A list that shows how many files it has while a large folder is walked. */
function counting(found) {
  let told = performance.now();
  const push = (...more) => {
    if (performance.now() - told > 500) {
      told = performance.now();
      showStatus(`${counted(found.length + more.length, "file", "files")} found…`);
    }
    return Array.prototype.push.apply(found, more);
  };
  return Object.assign(found, { push });
}

/** The files of dropped items with their paths. A folder gives all files in it. */
async function filesOf(items) {
  const found = counting([]);
  // The items are gone after the event. Chromium offers a page from disk only handles; other browsers offer only entries.
  const sources = [...items].filter((item) => item.kind === "file").map((item) => (item.getAsFileSystemHandle ? { handle: item.getAsFileSystemHandle() } : { entry: item.webkitGetAsEntry() }));
  for (const { handle, entry } of sources) {
    if (entry) await filesOfEntry(entry, found);
    else await filesOfHandle(await handle, (await handle).name, found);
  }
  found.handles = await Promise.all(sources.flatMap(({ handle }) => handle ?? []));
  return found;
}

async function filesOfHandle(handle, path, found) {
  if (handle.kind === "file") found.push([path, await handle.getFile()]);
  else for await (const [last, below] of handle.entries()) await filesOfHandle(below, `${path}/${last}`, found);
}

async function filesOfEntry(entry, found) {
  if (entry.isFile) {
    found.push([entry.fullPath.slice(1), await new Promise((resolve, reject) => { entry.file(resolve, reject); })]);
    return;
  }
  const reader = entry.createReader();
  // a reader returns some entries at a time, and none after the last
  for (let some; !some || some.length;) {
    some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    for (const one of some) await filesOfEntry(one, found);
  }
}

function listenForDrops() {
  document.addEventListener("dragover", (event) => { event.preventDefault(); byId("drop").classList.add("over"); });
  document.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    addFiles(filesOf(event.dataTransfer.items));
  });
  for (const id of ["folder", "several"]) {
    on(id, "change", ({ target }) => {
      addFiles(Promise.resolve([...target.files].map((file) => [file.webkitRelativePath || file.name, file])));
      target.value = "";
    });
  }
  // buttons, because the keyboard does not reach a label
  on("choose-several", "click", () => byId("several").click());
  on("choose-folder", "click", async () => {
    if (!window.showDirectoryPicker) {
      byId("folder").click();
      return;
    }
    // a handle outlives a reload
    const handle = await showDirectoryPicker().catch((error) => { if (error.name !== "AbortError") showError(error); });
    if (handle) addFiles(filesOfHandles([handle]));
  });
  byId("choose-folder").hidden = !("webkitdirectory" in byId("folder"));
}
