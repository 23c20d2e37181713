// The dropped folders over a reload: their handles are kept in the browser, and one click opens them again. Only browsers with the File
// System Access API give handles.

/** Asks the browser's database about the kept handles. */
async function inDatabase(mode, act) {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open("quakefs", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("handles");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const request = act(database.transaction("handles", mode).objectStore("handles"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** Keeps the handles of the drops. A browser without a database only forgets them. */
function keepHandles() {
  const handles = new Map(drops.flatMap((drop) => drop.handles.map((handle) => [handle.name, handle])));
  if (handles.size) inDatabase("readwrite", (store) => store.put([...handles.values()], "dropped")).catch(() => {});
}

const forgetHandles = () => inDatabase("readwrite", (store) => store.delete("dropped")).catch(() => {});

/** Offers to open what was dropped before the page was loaded again. */
async function offerHandles() {
  const kept = await inDatabase("readonly", (store) => store.get("dropped")).catch(() => null);
  if (!kept?.length || mounted) return;
  const names = kept.map((handle) => handle.name);
  byId("reopen").textContent = `Open ${names.slice(0, 3).join(", ")}${names.length > 3 ? " and more" : ""} again`;
  byId("reopen").hidden = false;
  on("reopen", "click", () => addFiles(filesOfHandles(kept)));
}

/** The files behind handles, after the person has allowed to read them. */
async function filesOfHandles(all) {
  for (const handle of all) {
    if (await handle.requestPermission?.({ mode: "read" }) === "denied") throw new Error(`the browser does not allow to read ${handle.name}`);
  }
  return Object.assign(await walked(all), { handles: all });
}
