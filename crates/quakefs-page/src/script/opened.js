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

/** The files in a ZIP without ZIP64, each with its path, as far as they are not too large. Only the first are unpacked. */
async function unzipped(zip) {
  const tail = fieldsOf(new Uint8Array(await zip.slice(Math.max(0, zip.size - 65_558)).arrayBuffer()));
  let end = tail.size - 22;
  while (tail.u32(end) !== 0x06054b50) end -= 1;
  const directory = fieldsOf(new Uint8Array(await zip.slice(tail.u32(end + 16), tail.u32(end + 16) + tail.u32(end + 12)).arrayBuffer()));
  const found = [];
  let room = UNZIPPED;
  for (let at = 0; at + 46 <= directory.size;) {
    const [method, size, large, length] = [directory.u16(at + 10), directory.u32(at + 20), directory.u32(at + 24), directory.u16(at + 28)];
    const path = new TextDecoder().decode(directory.bytes.subarray(at + 46, at + 46 + length));
    const start = directory.u32(at + 42);
    at += 46 + length + directory.u16(at + 30) + directory.u16(at + 32);
    if (path.endsWith("/") || large > room || (method !== 0 && method !== 8)) continue;
    // the files that are not shown only count
    if (found.length >= OPENED) {
      found.push([path]);
      continue;
    }
    room -= large;
    const head = fieldsOf(new Uint8Array(await zip.slice(start, start + 30).arrayBuffer()));
    const from = start + 30 + head.u16(26) + head.u16(28);
    const stored = zip.slice(from, from + size);
    const blob = method ? await inflated(stored, large) : stored;
    found.push([path, new File([blob], path)]);
  }
  return found.length ? found : null;
}

/** Unpacked bytes, at most as many as the ZIP claims. */
async function inflated(stored, most) {
  const reader = stored.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let left = most; left > 0;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value.subarray(0, left));
    left -= value.length;
  }
  reader.cancel().catch(() => {});
  return new Blob(parts);
}
