// Files that go into no game, each with its preview: a texture archive, a model, a picture, a demo.

/** The opened files, the latest first: each with a name, the file, and why no game takes it. */
let opened = [];
/** The most files of one drop, and the most in all, that are opened. */
const OPENED = 60;
/** The most bytes of all files in a ZIP. */
const UNZIPPED = 128 << 20;

/** Opens files of a drop, and the files in a ZIP. `why` is a sentence about all of them. */
async function openAlone(more, why) {
  if (!more.length) return;
  const found = [];
  let left = more.length;
  for (const [path, file] of more) {
    if (found.length >= OPENED) break;
    left -= 1;
    const inside = extensionOf(path) === "zip" ? await unzipped(file).catch(() => null) : null;
    found.push(...(inside ?? [[path, file]]));
  }
  const fresh = found.slice(0, OPENED).map(([path, file]) => ({ name: path, file, why }));
  opened = [...fresh, ...opened.filter((one) => fresh.every((other) => other.name !== one.name))].slice(0, OPENED);
  showOpened(left + Math.max(0, found.length - OPENED));
}

function showOpened(more = 0) {
  const place = byId("opened");
  place.hidden = !opened.length;
  document.body.classList.toggle("viewing", opened.length > 0);
  const close = button("Close", () => {
    opened = [];
    showOpened();
  }, { class: "copy-line" });
  const whys = [...new Set(opened.map((one) => one.why))];
  place.replaceChildren(
    make("div", { class: "head" }, make("h2", { id: "opened-title" }, "Opened alone"), close),
    ...whys.map(note), make("div", { class: "copies" }, ...opened.map(openedCard)),
    ...(more ? [note(`${counted(more, "more file is", "more files are")} not shown.`)] : []));
}

function openedCard(one) {
  const card = make("article", { class: "copy" }, make("h3", {}, name(one.name)), make("div", {}, bytes(one.file.size)));
  card.append(preview(one, 256, one.name));
  // many textures need the whole width
  previewOf(one).then((shown) => card.classList.toggle("broad", shown.type === "pictures" && shown.shown.length > 4 && !/\.spr/i.test(one.name))).catch(() => {});
  return card;
}

/** The files in an archive, each with its path, as far as they are not too large. Only the first are unpacked. */
async function unzipped(archive) {
  const { answer } = await ask({ apart: { kind: "unpack", file: archive } });
  if (answer.error) throw errorOf(answer);
  const found = [];
  let room = UNZIPPED;
  for (const [entry, [path, size]] of answer.entries()) {
    if (size > room) continue;
    // the files that are not shown only count
    if (found.length >= OPENED) {
      found.push([path]);
      continue;
    }
    room -= size;
    const { blob } = await ask({ apart: { kind: "unpack", file: archive, entry } });
    if (blob) found.push([path, new File([blob], path)]);
  }
  return found.length ? found : null;
}
