// The answer as a page, as `quakefs report` writes it: this page with the data in it, and without the module.

/** The most bytes of all previews, and the longer side of a picture: in a conflict, and elsewhere. */
const REPORT_ROOM = 4 << 20;
const REPORT_SIDES = [192, 96];
/** The most pictures of one file. */
const REPORT_PICTURES = 12;

async function savePage() {
  if (unread !== COMPLETE) {
    showStatus("The answer is not complete yet: save it once everything is read.", true);
    return;
  }
  const mine = turn;
  byId("save-page").disabled = true;
  try {
    const saved = { ...structuredClone(data), on: choice.on };
    const stopped = await addPreviews(saved, () => mine !== turn);
    if (stopped) return;
    download(new Blob([pageWith(saved)], { type: "text/html" }), `${data.game.join("-").replace(/[^\w.-]+/g, "-") || "quake"}-${data.engine}.html`);
    showStatus("Saved: the page is one file, which needs no other.");
  } catch (error) {
    showError(error);
  } finally {
    byId("save-page").disabled = false;
  }
}

/** This page with other data, and without what only the module needs. */
function pageWith(saved) {
  const root = written.cloneNode(true);
  for (const script of root.querySelectorAll("script[type='text/plain']")) script.textContent = "";
  // what a report does not have
  for (const one of root.querySelectorAll("link[rel=manifest], meta[property], meta[name=description], meta[name='twitter:card']")) one.remove();
  root.querySelector("body").removeAttribute("class");
  root.querySelector("link[rel=icon]").href = "data:,";
  for (const one of root.querySelectorAll("title, #game")) one.textContent = "quakefs report";
  root.querySelector("#summary").textContent = "";
  const policy = root.querySelector("meta[http-equiv]");
  policy.content = policy.content.replace(/ 'wasm-unsafe-eval';.*$/, "").replace("img-src data: 'self'", "img-src data:");
  // a name may contain the end of a script
  root.querySelector("#data").textContent = JSON.stringify(saved).replaceAll("<", "\\u003c");
  return `<!doctype html>\n${root.outerHTML}\n`;
}

/** Adds previews to the data until the room is full: conflicts first, then levels and small files. Whether it was stopped. */
async function addPreviews(saved, isStopped) {
  let room = REPORT_ROOM;
  const rows = [];
  for (const [index, conflict] of saved.conflicts.entries()) {
    conflict.copies.forEach((row, at) => {
      const copy = conflicts[index].copies[at];
      if (copy.same === true) row[5] = () => conflict.copies[0][5];
      else rows.push({ copy, place: 0, put: (number) => { row[5] = number; } });
    });
  }
  const others = [];
  for (const folder of saved.folders) {
    for (const row of folder.files) {
      if (row[5] != null) continue;
      const file = byPath.get(folder.name ? `${folder.name}/${row[0]}` : row[0]);
      others.push({ copy: file, place: 1, put: (number) => { row[6] = number; } });
    }
  }
  const order = ({ copy }) => [/\.bsp$/i.test(copy.name) ? 0 : 1, copy.size];
  others.sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]);
  saved.previews = [];
  const all = [...rows, ...others];
  for (const [index, { copy, place, put }] of all.entries()) {
    if (isStopped()) return true;
    if (index % 50 === 0) showStatus(`Making previews: ${number(index)} of ${counted(all.length, "file", "files")}…`);
    const shown = room > 0 && copy.size <= LARGEST_FILE ? await frameOf(copy) : undefined;
    if (shown === null) continue;
    const preview = shown && await reduced(shown, REPORT_SIDES[place]);
    const size = preview ? JSON.stringify(preview).length : Infinity;
    if (size > room) {
      saved.omitted.previews += 1;
      continue;
    }
    room -= size;
    put(saved.previews.push(preview) - 1);
  }
  // copies with the same bytes share a preview
  for (const { copies } of saved.conflicts) for (const row of copies) if (typeof row[5] === "function") row[5] = row[5]();
  return false;
}

/** A preview with fewer and smaller pictures. */
async function reduced(shown, side) {
  const key = { pictures: "", model: "pictures", level: "textures" }[shown.type];
  if (key == null) return shown;
  const held = key ? shown[key] : shown;
  const pictures = await Promise.all(held.shown.slice(0, REPORT_PICTURES).map((one) => reducedPicture(one, side)));
  return key ? { ...shown, [key]: { ...held, shown: pictures } } : { ...shown, shown: pictures };
}

async function reducedPicture(shown, side) {
  const image = await decoded(shown.source).catch(() => null);
  if (!image) return { ...shown, source: "data:," };
  const scale = Math.min(1, side / Math.max(image.naturalWidth, image.naturalHeight));
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((length) => Math.max(1, Math.round(length * scale)));
  const canvas = make("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return { ...shown, width: shown.width || image.naturalWidth, height: shown.height || image.naturalHeight, source: canvas.toDataURL("image/png") };
}
