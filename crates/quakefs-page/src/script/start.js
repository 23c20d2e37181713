// The start: the data of the page at once, or a module that waits for a drop.

/** The files of the sample. */
async function sampleFiles() {
  const packed = Uint8Array.from(atob(byId("sample").textContent), (letter) => letter.charCodeAt(0));
  const sample = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  let at = sample.indexOf(10);
  const rows = JSON.parse(new TextDecoder().decode(sample.subarray(0, at)));
  at += 1;
  return rows.map(([path, size]) => [`sample/${path}`, new File([sample.subarray(at, at += size)], path.split("/").pop(), { lastModified: 0 })]);
}

/** In a hosted copy: a worker keeps the page, and an installed one opens archives of the file manager. */
function listenToSystem() {
  if (!document.querySelector("link[rel=manifest]")) return;
  navigator.serviceWorker?.register("service-worker.js").catch(() => {});
  window.launchQueue?.setConsumer(({ files: opened }) => { if (opened.length) addFiles(filesOfHandles([...opened])); });
}

async function startOver() {
  await forgetHandles();
  history.replaceState(null, "", "#");
  location.reload();
}

function start() {
  listenForChoices();
  listenForCopies();
  listenForDrops();
  on("stop", "click", () => {
    withdraw(STOPPED);
    restart(STOPPED);
  });
  on("over", "click", startOver);
  on("try", "click", () => addFiles(sampleFiles()));
  on("save-page", "click", savePage);
  choice = { ...choice, ...wanted?.choice };
  on("save-all", "click", saveAll);
  startWorker();
  listEngines().catch(showError);
  offerHandles();
  listenToSystem();
}

if (module) start();
else show();
