// The files of a drop, and of the two buttons that choose files.

/** The files of dropped items with their paths. A folder gives all files in it. */
async function filesOf(items) {
  // The items are gone after the event. Chromium offers a page from disk only handles; other browsers offer only entries.
  const sources = [...items].filter((item) => item.kind === "file").map((item) => (item.getAsFileSystemHandle ? { handle: item.getAsFileSystemHandle() } : { entry: item.webkitGetAsEntry() }));
  const found = await walked(sources.map(({ handle, entry }) => entry ?? handle));
  found.handles = await Promise.all(sources.flatMap(({ handle }) => handle ?? []));
  return found;
}

/** The files of handles, of entries, or of promises of these. It shows how many there are while a large folder is walked. */
async function walked(items) {
  let [told, count] = [performance.now(), 0];
  const tell = () => {
    count += 1;
    if (performance.now() - told < 500) return;
    told = performance.now();
    showStatus(`${counted(count, "file", "files")} found…`);
  };
  const found = [];
  for (const item of items) found.push(await walk(await item, "", tell));
  return found.flat();
}

/** How many items of a folder are asked for at a time: each answer waits for the browser's other process. */
const BATCH = 200;
const fileBehind = (item) => (item.getFile ? item.getFile() : new Promise((resolve, reject) => { item.file(resolve, reject); }));

/** The files of a handle or an entry with their paths, a folder in the order of its items. Calls `tell` for each. */
async function walk(item, folder, tell) {
  const path = folder + item.name;
  if (item.kind === "file" || item.isFile) {
    const file = await fileBehind(item);
    tell();
    return [[path, file]];
  }
  const items = await itemsOf(item);
  const found = [];
  for (let at = 0; at < items.length; at += BATCH) {
    found.push(...await Promise.all(items.slice(at, at + BATCH).map((one) => walk(one, `${path}/`, tell))));
  }
  return found.flat();
}

/** The items of a folder. */
async function itemsOf(folder) {
  const all = [];
  if (folder.values) {
    for await (const item of folder.values()) all.push(item);
    return all;
  }
  const reader = folder.createReader();
  // a reader returns some entries at a time, and none after the last
  for (let some; !some || some.length;) {
    some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    all.push(...some);
  }
  return all;
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
