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
    const item = entry ?? await handle;
    await walk(item, item.name, found);
  }
  found.handles = await Promise.all(sources.flatMap(({ handle }) => handle ?? []));
  return found;
}

/** How many files are asked for at a time: each answer waits for the browser's other process. */
const BATCH = 200;
const isFile = (item) => item.kind === "file" || item.isFile;
const fileBehind = (item) => (item.getFile ? item.getFile() : new Promise((resolve, reject) => { item.file(resolve, reject); }));

/** Adds the files of a handle or an entry, a folder in the order of its items. */
async function walk(item, path, found) {
  if (isFile(item)) {
    found.push([path, await fileBehind(item)]);
    return;
  }
  const items = await itemsOf(item);
  for (let at = 0; at < items.length; at += BATCH) {
    const some = items.slice(at, at + BATCH);
    const all = await Promise.all(some.map(([, one]) => (isFile(one) ? fileBehind(one) : null)));
    for (const [index, [last, one]] of some.entries()) {
      if (all[index]) found.push([`${path}/${last}`, all[index]]);
      else await walk(one, `${path}/${last}`, found);
    }
  }
}

/** The items of a folder with their names. */
async function itemsOf(folder) {
  const all = [];
  if (folder.entries) {
    for await (const item of folder.entries()) all.push(item);
    return all;
  }
  const reader = folder.createReader();
  // a reader returns some entries at a time, and none after the last
  for (let some; !some || some.length;) {
    some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    all.push(...some.map((one) => [one.name, one]));
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
