"use strict";
// All names and texts come from a game, which anybody may have written: they become text nodes, never markup.
const byId = (id) => document.getElementById(id);
const on = (id, event, act) => byId(id).addEventListener(event, act);
/** What the page shows: its own data, or what the module makes of the files that are dropped. */
let data = JSON.parse(byId("data").textContent);
const module = byId("module").textContent;

/** An element with some attributes and children; text is a child. */
const make = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const drawn = (tag, attributes, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const name = (text) => make("span", { class: "name" }, text);
const tag = (text, kind = "") => make("span", { class: `tag ${kind}` }, text);
const number = (value) => value.toLocaleString("en").replaceAll(",", "\u202f");
const counted = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

function bytes(size) {
  if (size < 1024) return counted(size, "byte", "bytes");
  const power = Math.min(4, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${" KMGT"[power]}iB`;
}

function seconds(length) {
  if (length < 60) return `${length.toFixed(length < 10 ? 2 : 1)} s`;
  const whole = Math.round(length);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** Fills a list step by step, so that a hundred thousand rows cost nothing before they are asked for. */
function pager(list, button, step, row) {
  let items = [];
  let shown = 0;
  const more = () => {
    const next = items.slice(shown, shown + step);
    list.append(...next.map((item, index) => row(item, shown + index)));
    shown += next.length;
    button.hidden = shown >= items.length;
    button.textContent = `Show more (${number(items.length - shown)} left)`;
  };
  button.addEventListener("click", () => {
    const first = shown;
    more();
    list.children[first]?.querySelector("summary, a, button")?.focus();
  });
  return {
    show(all) {
      items = all;
      shown = 0;
      list.replaceChildren();
      more();
    },
    /** Shows rows until the one of this number is there. */
    reach(index) {
      while (shown <= index && shown < items.length) more();
      return list.children[index];
    },
    replace(all) {
      const count = Math.max(step, shown);
      items = all;
      shown = 0;
      list.replaceChildren();
      do more();
      while (shown < Math.min(count, items.length));
    },
  };
}

// --- the data, with its numbers resolved ---

let files = [];
/** Names in archives that are not loaded: a search finds them, and nothing else shows them. */
let absent = [];
/** What levels ask for and nothing serves. */
let missing = [];
let conflicts = [];
let byPath = new Map();
/** The files and what is missing, in the order of their names. */
let everything = [];

function resolve() {
  files = data.folders.flatMap((folder) => folder.files.map(([last, layer, type, size, entry, conflict, preview]) => {
    const path = folder.name ? `${folder.name}/${last}` : last;
    return { path, name: path, folder: folder.name, last, layer, type: data.types[type], size, entry, conflict, preview, findings: [], lacks: [] };
  }));
  absent = data.not_loaded.flatMap((archive, index) => archive.files.map(([path, size]) => ({
    path, last: path, archive: index, size, findings: [], lacks: [],
  })));
  byPath = new Map(files.map((file) => [file.path, file]));
  // it stands in the tree too, and on each of those levels
  missing = data.missing.map((asked) => {
    const cut = asked.name.lastIndexOf("/");
    const [folder, last] = cut < 0 ? ["", asked.name] : [asked.name.slice(0, cut), asked.name.slice(cut + 1)];
    return { path: asked.name, folder, last, layer: null, type: asked.kind, size: 0, entry: null, conflict: null, preview: null, findings: [], lacks: [], asked };
  });
  for (const file of missing) {
    for (const level of file.asked.levels) byPath.get(level)?.lacks.push(file);
  }
  conflicts = data.conflicts.map((conflict, index) => {
    const copies = conflict.copies.map(([layer, entry, size, same, rule, preview, stored]) => ({
      name: conflict.name, layer, entry, size, same, rule: rule == null ? null : data.rules[rule], preview, stored,
    }));
    const hidden = copies.slice(1);
    const state = hidden.some((copy) => copy.same === false) ? "different"
      : hidden.every((copy) => copy.same) ? "same" : "unknown";
    return { name: conflict.name, index, copies, state };
  });
  for (const file of files) {
    if (file.conflict != null) file.preview = conflicts[file.conflict].copies[0].preview;
  }
  for (const finding of data.findings) {
    const file = finding.name != null && byPath.get(finding.name);
    if (file) file.findings.push(finding);
  }
  everything = missing.length ? [...files, ...missing].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)) : files;
}

/** The layer of a file, or the archive that is not loaded. */
const placeOf = (file) => (file.archive == null ? data.layers[file.layer].name : `not loaded: ${data.not_loaded[file.archive].name}`);
const stateOf = (file) => (file.asked ? "missing" : file.conflict == null ? "only" : conflicts[file.conflict].state);

// --- previews ---

/** Small pictures are shown larger, by whole steps, so that their pixels stay square. */
function picture(shown, room, alt) {
  const image = make("img", { class: "picture", alt, loading: "lazy", decoding: "async" });
  image.addEventListener("load", () => {
    const longer = Math.max(image.naturalWidth, image.naturalHeight);
    const scale = Math.max(1, Math.floor(room / longer));
    image.width = image.naturalWidth * scale;
  });
  image.src = shown.source;
  return image;
}

function pictures({ shown, all, damaged }, room, alt) {
  const list = shown.map((item) => {
    const size = item.width ? [`${item.width} × ${item.height}`] : [];
    const words = [...(item.name ? [item.name] : []), ...size, ...(item.grey ? ["grey: the game has no palette"] : [])];
    const caption = make("figcaption", {}, words.join(", "));
    return make("figure", {}, picture(item, shown.length > 1 ? room / 2 : room, item.name || alt), caption);
  });
  const parts = [make("div", { class: "pictures" }, ...list)];
  if (all > shown.length + damaged) parts.push(make("p", { class: "note" }, `and ${counted(all - shown.length - damaged, "more picture", "more pictures")}`));
  if (damaged) parts.push(make("p", { class: "note" }, `${counted(damaged, "picture", "pictures")} cannot be read`));
  return parts;
}

function facts(rows) {
  const list = make("dl");
  for (const [title, value] of rows) {
    if (value != null) list.append(make("dt", {}, title), make("dd", {}, value));
  }
  return list;
}

/** Numbers of 16 bits, of base64. */
const numbers = (text) => new Uint16Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

/** The pixels of a picture. */
async function pixelsOf(source) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.min(side, 1024));
  const context = make("canvas", { width, height }).getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  return { width, height, colours: new Uint32Array(context.getImageData(0, 0, width, height).data.buffer) };
}
const PLAIN = { width: 1, height: 1, colours: Uint32Array.of(0xffb4bcc0) };

/** The most pixels that are looked at for one view: a small model can claim to cover it thousands of times. */
const WORK = 3e7;

/** Draws a model that is turned and tilted, in degrees: each pixel is that of the nearest triangle. */
function drawModel(context, surfaces, turn, tilt) {
  const side = context.canvas.width;
  const view = context.createImageData(side, side);
  const colours = new Uint32Array(view.data.buffer);
  const depths = new Float32Array(side * side).fill(-Infinity);
  const [sin, cos] = [Math.sin(turn * Math.PI / 180), Math.cos(turn * Math.PI / 180)];
  const [low, high] = [Math.sin(tilt * Math.PI / 180), Math.cos(tilt * Math.PI / 180)];
  let work = WORK;
  for (const { vertices, triangles, middle, reach, skin } of surfaces) {
    const scale = (side * 0.48) / reach;
    const seen = new Float32Array((vertices.length / 5) * 3);
    for (let from = 0, to = 0; to < seen.length; from += 5, to += 3) {
      const [x, y, z] = [vertices[from] - middle[0], vertices[from + 1] - middle[1], vertices[from + 2] - middle[2]];
      const near = cos * x - sin * y;
      seen[to] = side / 2 + (sin * x + cos * y) * scale;
      seen[to + 1] = side / 2 - (z * high - near * low) * scale;
      seen[to + 2] = (near * high + z * low) * scale;
    }
    for (let at = 0; at + 2 < triangles.length; at += 3) {
      const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = [a, b, c].flatMap((vertex) => [...seen.subarray(vertex * 3, vertex * 3 + 3)]);
      const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
      const [nx, ny, area] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const length = Math.hypot(nx, ny, area);
      if (!area || !length) continue;
      const [left, right] = [Math.max(0, Math.ceil(Math.min(ax, bx, cx))), Math.min(side - 1, Math.floor(Math.max(ax, bx, cx)))];
      const [top, bottom] = [Math.max(0, Math.ceil(Math.min(ay, by, cy))), Math.min(side - 1, Math.floor(Math.max(ay, by, cy)))];
      work -= Math.max(0, right - left + 1) * Math.max(0, bottom - top + 1);
      if (work < 0) break;
      // the side that faces the viewer lies a little before the other; light comes from above, the left and the viewer
      const front = Math.sign(area);
      const before = front > 0 ? 0.5 : 0;
      const light = 0.5 + 0.5 * Math.max(0, (-0.3 * nx - 0.5 * ny + 0.8 * area) * front / length);
      const [pa, pb, pc] = [a, b, c].map((vertex) => [(vertices[vertex * 5 + 3] / 4096) * skin.width, (vertices[vertex * 5 + 4] / 4096) * skin.height]);
      for (let y = top; y <= bottom; y += 1) {
        for (let x = left; x <= right; x += 1) {
          const second = ((x - ax) * vy - (y - ay) * vx) / area;
          const third = ((y - ay) * ux - (x - ax) * uy) / area;
          const first = 1 - second - third;
          if (first < -1e-4 || second < -1e-4 || third < -1e-4) continue;
          const place = y * side + x;
          const depth = az + second * uz + third * vz + before;
          if (depth <= depths[place]) continue;
          const across = Math.floor(Math.abs(pa[0] * first + pb[0] * second + pc[0] * third)) % skin.width;
          const down = Math.floor(Math.abs(pa[1] * first + pb[1] * second + pc[1] * third)) % skin.height;
          const colour = skin.colours[down * skin.width + across];
          if (colour >>> 24 < 128) continue;
          depths[place] = depth;
          colours[place] = 0xff000000 | ((colour >> 16 & 255) * light) << 16 | ((colour >> 8 & 255) * light) << 8 | (colour & 255) * light;
        }
      }
    }
  }
  context.putImageData(view, 0, 0);
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A model that turns by itself until it is touched, and by a drag or the arrow keys. */
function model(shown, room, alt) {
  const notes = shown.why ? [make("p", { class: "note" }, `Its shape is not shown: ${shown.why}`)] : [];
  const all = shown.surfaces.map((surface) => ({ ...surface, vertices: numbers(surface.vertices), triangles: numbers(surface.triangles), skin: PLAIN }));
  const count = all.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const skins = shown.pictures.all || shown.pictures.damaged ? pictures(shown.pictures, room, alt) : [];
  if (!count) return [...notes, ...skins];
  const most = [0, 0, 0];
  const corners = (act) => { for (const { vertices } of all) for (let at = 0; at < vertices.length; at += 5) act([...vertices.subarray(at, at + 3)]); };
  corners((corner) => corner.forEach((at, axis) => { most[axis] = Math.max(most[axis], at); }));
  let reach = 1;
  corners((corner) => { reach = Math.max(reach, Math.hypot(...corner.map((at, axis) => at - most[axis] / 2))); });
  for (const surface of all) Object.assign(surface, { middle: most.map((side) => side / 2), reach });
  const canvas = make("canvas", { class: "model", width: 320, height: 320, tabindex: "0", role: "slider", "aria-label": `Turn ${alt}`, "aria-valuemin": "0", "aria-valuemax": "359" });
  const context = canvas.getContext("2d");
  let [turn, tilt, turns, visible, asked] = [30, 12, true, false, 0];
  const draw = (time) => {
    const passed = asked ? Math.min(100, time - asked) : 0;
    const moves = turns && visible && !still.matches;
    if (moves) turn += passed * 0.04;
    drawModel(context, all, turn, tilt);
    asked = moves ? time : 0;
    if (moves) requestAnimationFrame(draw);
  };
  const redraw = () => { if (!asked) requestAnimationFrame(draw); };
  const move = (by, up) => {
    turns = false;
    turn = (turn + by + 360) % 360;
    tilt = Math.max(-90, Math.min(90, tilt + up));
    canvas.setAttribute("aria-valuenow", String(Math.round(turn) % 360));
    canvas.setAttribute("aria-valuetext", `turned by ${Math.round(turn) % 360} degrees, seen from ${Math.round(tilt)} degrees above`);
    redraw();
  };
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, 10], ArrowDown: [0, -10] };
    if (!moves[event.key] && event.key !== " ") return;
    event.preventDefault();
    if (moves[event.key]) move(...moves[event.key]);
    else { turns = !turns; redraw(); }
  });
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = event; canvas.setPointerCapture(event.pointerId); move(0, 0); });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    move((event.clientX - held.clientX) * 0.8, (event.clientY - held.clientY) * 0.8);
    held = event;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
  new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; redraw(); }).observe(canvas);
  for (const surface of all) {
    const skin = shown.pictures.shown[surface.picture];
    if (skin) pixelsOf(skin.source).then((pixels) => { surface.skin = pixels; redraw(); }).catch(() => {});
  }
  const rows = [["Triangles", number(count)], ["Skins", shown.pictures.all ? number(shown.pictures.all) : null]];
  return [canvas, make("p", { class: "note" }, "Drag it, or use the arrow keys. The space bar stops it."), facts(rows), ...notes, ...skins];
}

/** How entities are marked, by the beginnings of their classes; what is first is listed first, and lies above the others. */
const MARKS = [["monster", /^monster/], ["item", /^(item|weapon|ammo|key)/], ["start", /^info_player|^testplayer/], ["other", /./], ["light", /^light/]];
const markOf = (name) => (/^light/.test(name) ? 4 : Math.max(0, MARKS.findIndex(([, begins]) => begins.test(name))));

/** A level from above: lines, and a dot for each entity. A class that is pointed at or chosen stands out. */
function outline({ units, all, lines, classes }, alt) {
  const longer = Math.max(1, ...units);
  const [width, height] = units.map((side) => Math.round((side / longer) * 65535));
  const edges = numbers(lines);
  const path = [];
  for (let at = 0; at + 3 < edges.length; at += 4) path.push(`M${edges[at]} ${edges[at + 1]}L${edges[at + 2]} ${edges[at + 3]}`);
  const sorted = classes.toSorted(([a], [b]) => markOf(a) - markOf(b));
  const groups = sorted.map(([name, count, places]) => {
    const at = numbers(places);
    const dots = Array.from({ length: at.length / 2 }, (_, dot) => drawn("circle", { cx: at[dot * 2], cy: at[dot * 2 + 1], r: 600 }));
    return drawn("g", { class: MARKS[markOf(name)][0] }, drawn("title", {}, `${name || "no class"}: ${number(count)}`), ...dots);
  });
  const walls = drawn("path", { d: path.join("") });
  const view = drawn("svg", { class: "outline", viewBox: `-1000 -1000 ${width + 2000} ${height + 2000}`, role: "img", "aria-label": `${alt} from above` }, walls, ...groups.toReversed());
  const buttons = sorted.map(([words, count], index) => {
    const button = make("button", { type: "button", class: `mark ${MARKS[markOf(words)][0]}`, "aria-pressed": "false" }, name(words || "no class"), " ", number(count));
    const show = (pointed) => {
      groups[index].classList.toggle("lit", pointed || button.getAttribute("aria-pressed") === "true");
      view.classList.toggle("some", groups.some((group) => group.classList.contains("lit")));
    };
    button.addEventListener("click", () => { button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true")); show(true); });
    for (const event of ["focus", "pointerenter"]) button.addEventListener(event, () => show(true));
    for (const event of ["blur", "pointerleave"]) button.addEventListener(event, () => show(false));
    return button;
  });
  const fewer = all > edges.length / 4 ? [make("p", { class: "note" }, `The longest ${number(edges.length / 4)} of ${number(all)} edges of walls.`)] : [];
  return [view, ...fewer, ...(buttons.length ? [make("div", { class: "marks", role: "group", "aria-label": "Entities by class" }, ...buttons)] : [])];
}

function level(shown, room, alt) {
  const rows = [["Title", shown.title ?? "none"], ["Entities", number(shown.entities)]];
  if (shown.outline) rows.push(["Size", `${shown.outline.units.map(number).join(" × ")} units`]);
  for (const [title, names, more] of shown.uses) {
    rows.push([title[0].toUpperCase() + title.slice(1), name(names.join(", ") + (more ? `, and ${number(more)} more` : ""))]);
  }
  if (shown.textures.all) rows.push(["Textures", `${number(shown.textures.all)} in the level`]);
  const above = shown.outline ? outline(shown.outline, alt) : shown.why ? [make("p", { class: "note" }, `It is not shown from above: ${shown.why}`)] : [];
  return [facts(rows), ...above, ...(shown.textures.all || shown.textures.damaged ? pictures(shown.textures, room, alt) : [])];
}

function sound(shown) {
  const channels = { 1: "mono", 2: "stereo" }[shown.channels] ?? `${shown.channels} channels`;
  const rate = `${number(shown.rate)} Hz${shown.bits ? `, ${shown.bits} bits` : ""}, ${channels}`;
  const rows = [["Length", seconds(shown.milliseconds / 1000) + (shown.loops ? ", loops" : "")], ["Format", `${shown.format}, ${rate}`]];
  if (!shown.source) return [facts(rows), make("p", { class: "note" }, "The page has no room for its bytes, so it cannot be played here.")];
  return [make("audio", { controls: true, preload: "metadata", src: shown.source }), facts(rows)];
}

/** Marks the lines of a text that another one does not have. */
function marked(shown, other) {
  const known = new Set(other.split("\n"));
  const lines = shown.split("\n").map((line, index) => (index ? `\n${line}` : line));
  return lines.map((line) => (known.has(line.replace("\n", "")) ? line : make("mark", {}, line)));
}

function text(shown, other) {
  const lines = other?.type === "text" && shown.text ? marked(shown.text, other.text) : [shown.text || "(empty)"];
  const parts = [make("pre", { tabindex: "0" }, ...lines)];
  if (shown.more) parts.push(make("p", { class: "note" }, `and ${bytes(shown.more)} more`));
  return parts;
}

/** What a copy of a file shows: it is in the data, or the module is asked once. */
const previews = new Map();
function previewOf(copy) {
  if (!module) return data.previews[copy.preview];
  const key = `${copy.layer} ${copy.entry} ${copy.name}`;
  if (!previews.has(key)) previews.set(key, question("preview", copyOf(copy)));
  return previews.get(key);
}

function parts(shown, room, alt, other) {
  switch (shown?.type) {
    case "pictures": return pictures(shown, room, alt);
    case "model": return model(shown, room, alt);
    case "level": return level(shown, room, alt);
    case "sound": return sound(shown);
    case "text": return text(shown, other);
    case "error": return [make("p", { class: "note" }, `No preview: ${shown.why}`)];
    default: return [make("p", { class: "note" }, module ? "No preview: the page shows no such file." : "No preview: the page shows no such file, or has no room for it.")];
  }
}

/** What a copy of a file shows, in an element that is filled when that is known; a text beside another has the lines marked
 * that are its own. */
function preview(copy, room, alt, beside) {
  const element = make("div");
  const fill = ([shown, other]) => element.replaceChildren(...parts(shown, room, alt, other));
  const fail = (error) => element.replaceChildren(make("p", { class: "note" }, `No preview: ${error.message}`));
  Promise.all([copy, beside].map((one) => one && previewOf(one))).then(fill).catch(fail);
  return element;
}

const pictureOf = (shown) => ({ pictures: shown, model: shown?.pictures, level: shown?.textures }[shown?.type]?.shown[0]?.source);
/** Whether a file has a small picture; with a module, whether it may have one. */
const hasPicture = (file) => file.archive == null && !file.asked
  && (module ? /\.(lmp|wad|bsp|md[l23]|wal|pcx|tga|png|jpe?g)$/i.test(file.last) : Boolean(pictureOf(data.previews[file.preview])));

/** The small picture of a file, which is asked for when its place comes into view. */
function thumbnail(file) {
  const image = make("img", { alt: "", loading: "lazy" });
  if (!module) image.src = pictureOf(data.previews[file.preview]);
  else {
    image.askFor = file;
    inView.observe(image);
  }
  return image;
}
const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView.unobserve(target);
    previewOf(target.askFor).then((shown) => {
      const source = pictureOf(shown);
      if (source) target.src = source;
    }).catch(() => {});
  }
});

// --- the head of the page ---

function showHead() {
  const title = data.game.length ? data.game.map((game) => game || ".").join(" over ") : "no layers";
  byId("game").replaceChildren(name(title), " ", make("small", {}, `as ${data.engine} sees it`));
  document.title = `${title}: quakefs report`;
  const served = data.layers.reduce((sum, layer) => sum + layer.serves[1], 0);
  byId("summary").textContent = [
    counted(data.layers.filter((layer) => layer.there).length, "layer", "layers"),
    `${counted(files.length, "file", "files")} of ${bytes(served)}`,
    counted(conflicts.length, "name with several copies", "names with several copies"),
    ...(missing.length ? [counted(missing.length, "missing file", "missing files")] : []),
    ...(data.registration ? [data.registration] : []),
  ].join(" · ");
  const verdict = byId("verdict");
  verdict.replaceChildren();
  const stops = data.findings.filter((finding) => finding.stops);
  verdict.classList.toggle("stops", stops.length > 0);
  // archives by themselves are no game that starts
  const isGame = !mounted || mounted.line.includes("--basedir");
  if (!stops.length) verdict.append(isGame ? `Nothing is known that would keep ${data.engine} from starting on this folder.` : "");
  else {
    // a mod at work has not all that a game has
    const words = data.starts ? `As a whole game, ${data.engine} would not start on this folder.` : `${data.engine} does not start on this folder.`;
    verdict.append(make("strong", {}, words), " The page shows what it would load if that were mended.");
  }
  if (data.not_loaded.length) {
    const names = data.not_loaded.slice(0, 5).map((archive) => archive.name).join(", ");
    const more = data.not_loaded.length > 5 ? " and more" : "";
    verdict.append(` It does not load ${counted(data.not_loaded.length, "archive", "archives")} there: ${names}${more}.`);
  }
  if (stops.length) {
    const list = stops.slice(0, 5).map((finding) => make("li", {}, name(finding.place), `: ${finding.reason} — ${finding.help}`));
    if (stops.length > list.length) list.push(make("li", {}, `and ${number(stops.length - list.length)} more, below`));
    verdict.append(make("ul", {}, ...list));
  }
  const findingCount = data.findings.length + data.more_findings.reduce((sum, [, count]) => sum + count, 0);
  const counts = { layers: data.layers.filter((layer) => layer.there).length, conflicts: conflicts.length, findings: findingCount, files: files.length };
  for (const link of document.querySelectorAll("nav a")) {
    link.querySelector(".count")?.remove();
    const count = counts[link.hash.slice(1)];
    const more = link.hash === "#findings" && looked !== LOOKED ? "…" : "";
    if (count != null) link.append(make("span", { class: "count" }, number(count) + more));
  }
  byId("made-by").textContent = `Made by ${data.made_by}. The page is one file, asks no network, and runs nothing but its own ${module ? "script and module" : "script"}.`;
}

// --- layers ---

function stack(measure) {
  const most = Math.max(1, ...data.layers.map((layer) => layer.serves[measure] + layer.hidden[measure]));
  const cell = (words, [count, size]) => make("td", { "data-title": words }, count ? number(count) : "–", count ? make("small", {}, bytes(size)) : null);
  // an engine makes a folder in its user directory when it first writes there
  const absentRow = (archive) => {
    const head = make("th", { scope: "row" }, name(archive.name), " ", tag("not loaded", "warning"));
    return make("tr", { class: "absent" }, head, make("td", { colspan: "4" }, archive.reason, make("small", {}, `→ ${archive.help}`)));
  };
  const beside = (index) => data.not_loaded.filter((archive) => archive.beside === index).map(absentRow);
  const rows = [...data.layers.entries()].filter(([, layer]) => layer.there).flatMap(([index, layer]) => {
    const track = make("div", { class: "track" });
    for (const part of ["serves", "hidden"]) {
      if (!layer[part][measure]) continue;
      const bar = make("i", { class: part });
      bar.style.width = `max(2px, ${(100 * layer[part][measure]) / most}%)`;
      track.append(bar);
    }
    const link = make("button", { type: "button", class: "link" }, name(layer.name));
    link.addEventListener("click", () => filterBy({ layer: String(index) }));
    const problems = layer.problems ? tag(counted(layer.problems, "finding", "findings"), "warning") : null;
    const head = make("th", { scope: "row" }, link, " ", tag(layer.kind), " ", problems);
    return [...beside(index), make("tr", {}, head, make("td", { class: "bar" }, track), cell("serves", layer.serves), cell("hides", layer.hides), cell("is hidden", layer.hidden))];
  });
  document.querySelector("#stack tbody").replaceChildren(...rows, ...beside(null));
}
on("measure", "change", (event) => stack(Number(event.target.value)));

// --- conflicts ---

const STATES = { different: ["different bytes", "differs"], same: ["same bytes", "same"], unknown: ["not compared", ""] };

function copyCard(conflict, copy, index) {
  const layer = data.layers[copy.layer];
  const stored = copy.stored ?? conflict.name;
  const place = copy.entry == null ? stored : `entry ${copy.entry}, ${stored}`;
  const same = copy.same == null ? null : copy.same ? tag("same bytes", "same") : tag("different bytes", "differs");
  const card = make("div", { class: index === 0 ? "copy served" : "copy" },
    make("h3", {}, name(layer.name)),
    make("div", {}, index === 0 ? tag("is loaded", "same") : tag("is hidden"), " ", index === 0 ? null : same ?? tag("not compared"), ` ${bytes(copy.size)}`),
    make("div", { class: "rule" }, index === 0 ? name(place) : make("span", {}, name(place), make("br"), `because: ${copy.rule}`)));
  const beside = conflict.copies[index === 0 ? 1 : 0];
  card.append(preview(copy, 256, `${conflict.name} in ${layer.name}`, beside));
  if (module) card.append(saveButton(copy));
  return card;
}

/** The most copies of one name that are shown beside each other. */
const CARDS = 50;

function conflictRow(conflict) {
  const [words, kind] = STATES[conflict.state];
  const summary = make("summary", {}, name(conflict.name), tag(counted(conflict.copies.length, "copy", "copies")), tag(words, kind));
  const details = make("details", { id: `conflict-${conflict.index}` }, summary);
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) {
      const more = conflict.copies.length - CARDS;
      details.append(make("div", { class: "copies" }, ...conflict.copies.slice(0, CARDS).map((copy, index) => copyCard(conflict, copy, index))));
      if (more > 0) details.append(make("p", { class: "note" }, `and ${counted(more, "more copy", "more copies")}`));
    }
  });
  return details;
}

// those that change something come first
const ORDER = { different: 0, unknown: 1, same: 2 };
let listed = [];
const conflictList = pager(document.querySelector("#conflicts .list"), document.querySelector("#conflicts .more"), 100, conflictRow);
function showConflicts(wanted) {
  const sorted = conflicts.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.index - b.index);
  listed = wanted === "all" ? sorted : sorted.filter((conflict) => (conflict.state === "same") === (wanted === "same"));
  conflictList.show(listed);
  const different = conflicts.filter((conflict) => conflict.state === "different").length;
  const unknown = conflicts.filter((conflict) => conflict.state === "unknown").length;
  const differ = different ? `in ${number(different)} the bytes differ` : unknown ? "none is known to differ" : "all with the same bytes";
  const compared = unknown ? `; ${number(unknown)} not compared` : "";
  byId("conflicts-note").textContent = conflicts.length
    ? `${counted(conflicts.length, "name is", "names are")} in several places; ${differ}${compared}. Open one to see its copies side by side.`
    : "No file hides another.";
  byId("sameness").hidden = !conflicts.length;
}
on("sameness", "change", (event) => showConflicts(event.target.value));

function openConflict(index) {
  document.querySelector("#sameness input").checked = true;
  showConflicts("all");
  const row = conflictList.reach(listed.findIndex((conflict) => conflict.index === index));
  row.open = true;
  row.scrollIntoView({ block: "start" });
  row.firstChild.focus();
}

// --- findings ---

function findingRow(finding) {
  const file = finding.name != null && byPath.get(finding.name);
  let place = name(finding.place);
  if (file) {
    place = make("button", { type: "button", class: "link" }, place);
    place.addEventListener("click", () => { filterBy({ search: file.path }); choose(file, true); });
  }
  return make("li", {},
    make("div", {}, tag(finding.stops ? "stops" : finding.severity, finding.stops ? "error" : finding.severity)),
    make("div", {}, place, make("div", {}, finding.reason), make("div", { class: "help" }, `→ ${finding.help}`)));
}
/** How far the game was looked through. */
const LOOKED = "";
let looked = LOOKED;
const findingList = pager(document.querySelector("#findings .list"), document.querySelector("#findings .more"), 50, findingRow);
function showFindings() {
  findingList.show(data.findings);
  byId("findings-note").textContent = [
    ...(data.findings.length ? ["What stops the engine comes first, each with what to do about it."] : looked === LOOKED ? ["Nothing is wrong, and nothing looks unintended."] : []),
    ...(looked === LOOKED ? [] : [looked]),
    ...data.more_findings.map(([kind, count]) => `${number(count)} more of the kind ${kind} are left out here: quakefs check lists them.`),
    ...(missing.length ? ["What levels ask for and nothing has stands in the tree."] : []),
  ].join(" ");
}

// --- files ---

/** Fills a filter, which keeps what is chosen in it where that is still there. */
function choices(id, options) {
  const select = byId(id);
  const kept = select.value;
  select.replaceChildren(select.firstElementChild, ...options.map(([value, words]) => make("option", { value }, words)));
  if (options.some(([value]) => String(value) === kept)) select.value = kept;
}

function showFilters() {
  choices("layer", [...data.layers.entries()].filter(([, layer]) => layer.serves[0]).map(([index, layer]) => [index, layer.name]));
  choices("type", [...data.types].sort().map((type) => [type, type]));
  const left = data.left_out;
  byId("files-note").textContent = [
    "Each name once, with the layer that serves it.",
    ...(left.previews ? [`The page has no room for ${counted(left.previews, "more preview", "more previews")}.`] : []),
    ...(left.sounds ? [`The bytes of ${counted(left.sounds, "sound are", "sounds are")} left out, so ${left.sounds === 1 ? "it" : "they"} cannot be played here.`] : []),
    ...(left.previews || left.sounds ? ["Conflicts come first, then the mod's own files, then levels, then the smallest files; --max-size of the command makes more room."] : []),
    ...(left.grey ? [`The game has no palette, so ${counted(left.grey, "picture is", "pictures are")} grey.`] : []),
  ].join(" ");
}

const open = new Set();
let chosen = null;
let rows = [];
let matching = [];

/** The tree of folders, made of names; what cannot be a path is still in it under its name. */
function tree(of) {
  const root = { folders: new Map(), files: [], path: "", count: 0, missing: 0 };
  for (const file of of) {
    let node = root;
    node.count += file.asked ? 0 : 1;
    for (const part of file.folder ? file.folder.split("/") : []) {
      if (!node.folders.has(part)) {
        node.folders.set(part, { name: part, path: node.path ? `${node.path}/${part}` : part, folders: new Map(), files: [], count: 0, missing: 0 });
      }
      node = node.folders.get(part);
      node.count += file.asked ? 0 : 1;
      node.missing += file.asked ? 1 : 0;
    }
    node.files.push(file);
  }
  return root;
}

/** The rows of the open folders, in order. */
function visible(node, depth = 1, into = []) {
  const folders = [...node.folders.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const folder of folders) {
    into.push({ folder, depth });
    if (open.has(folder.path)) visible(folder, depth + 1, into);
  }
  // one by one: a call takes no hundred thousand arguments
  for (const file of node.files) into.push({ file, depth });
  return into;
}

/** What is missing: the file itself, or files that a level asks for. */
function mark(file) {
  if (file.asked) return tag("missing", "error");
  return file.lacks.length ? tag(`${number(file.lacks.length)} missing`, "warning") : null;
}

/** Buttons that lead to other files of the tree. */
function links(others) {
  return make("ul", {}, ...others.map((other) => {
    const link = make("button", { type: "button", class: "link" }, name(other.path));
    link.addEventListener("click", () => { filterBy({ search: other.path }); choose(other, true); });
    return make("li", {}, link);
  }));
}

function treeRow(row) {
  const { file, folder, depth } = row;
  const element = make("div", { role: "treeitem", "aria-level": depth, tabindex: "-1" });
  element.style.paddingInlineStart = `${0.6 + (depth - 1) * 1.1}rem`;
  if (folder) {
    element.setAttribute("aria-expanded", open.has(folder.path));
    element.append(make("span", { class: "fold", "aria-hidden": "true" }, open.has(folder.path) ? "▾" : "▸"), name(`${folder.name}/`), folder.missing ? tag(`${number(folder.missing)} missing`, "error") : "", make("span", { class: "size" }, counted(folder.count, "file", "files")));
  } else {
    const icon = make("span", { class: "icon" }, hasPicture(file) ? thumbnail(file) : null);
    const state = file.archive == null ? stateOf(file) : "only";
    if (file.archive != null) element.classList.add("absent");
    const dot = state === "only" || state === "missing" ? null : make("span", { class: `dot ${STATES[state][1]}`, role: "img", title: `hides ${STATES[state][0]}`, "aria-label": `hides ${STATES[state][0]}` });
    element.setAttribute("aria-selected", file === chosen);
    element.append(icon, name(row.flat ? file.path : file.last), dot ?? "", mark(file) ?? "", make("span", { class: "from" }, file.asked ? "" : placeOf(file)), make("span", { class: "size" }, file.asked ? "" : bytes(file.size)));
  }
  element.addEventListener("click", () => activate(row));
  row.element = element;
  return element;
}

const treeElement = byId("tree");
const treePager = pager(treeElement, document.querySelector("#files .more"), 300, treeRow);
function galleryItem(file) {
  const button = make("button", { type: "button", title: file.path, "aria-pressed": String(file === chosen) }, thumbnail(file), name(file.last), make("small", {}, file.folder));
  button.addEventListener("click", () => { choose(file, true); showFiles(true); });
  return button;
}
const galleryMore = make("button", { type: "button", class: "more", hidden: true });
byId("gallery").after(galleryMore);
const galleryPager = pager(byId("gallery"), galleryMore, 120, galleryItem);

function focusRow(index) {
  treePager.reach(index)?.focus();
  for (const row of rows) row.element?.setAttribute("tabindex", "-1");
  rows[index]?.element?.setAttribute("tabindex", "0");
}

function activate(row) {
  if (row.folder) {
    if (!open.delete(row.folder.path)) open.add(row.folder.path);
    showFiles(true);
    focusRow(rows.findIndex((other) => other.folder?.path === row.folder.path));
  } else {
    choose(row.file, false);
    for (const other of rows) if (other.file) other.element?.setAttribute("aria-selected", other.file === chosen);
    focusRow(rows.indexOf(row));
  }
}

treeElement.addEventListener("keydown", (event) => {
  const index = rows.findIndex((row) => row.element === document.activeElement);
  const row = rows[index];
  if (!row) return;
  const parent = () => rows.findLastIndex((other, place) => place < index && other.depth < row.depth);
  const isOpen = row.folder && open.has(row.folder.path);
  const moves = {
    ArrowDown: () => focusRow(Math.min(index + 1, rows.length - 1)),
    ArrowUp: () => focusRow(Math.max(index - 1, 0)),
    Home: () => focusRow(0),
    End: () => focusRow(rows.length - 1),
    ArrowRight: () => (row.folder ? (isOpen ? focusRow(index + 1) : activate(row)) : null),
    ArrowLeft: () => (isOpen ? activate(row) : parent() >= 0 ? focusRow(parent()) : null),
    Enter: () => activate(row),
    " ": () => activate(row),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
});

/** Shows a file on the right, or below on a phone. */
function choose(file, focus) {
  chosen = file;
  const details = byId("details");
  const archive = file.archive == null ? null : data.not_loaded[file.archive];
  const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => { details.classList.remove("chosen"); rows.find((row) => row.file === file)?.element?.focus(); });
  if (file.asked) {
    const { asked } = file;
    const levels = asked.levels.map((level) => byPath.get(level)).filter(Boolean);
    details.replaceChildren(close, make("h3", {}, name(file.path), " ", mark(file)), facts([["Type", file.type], ["Asked for by", name(asked.by)]]),
      make("p", {}, asked.reason, " ", make("span", { class: "note" }, asked.help ? `→ ${asked.help}` : "")),
      make("p", {}, "Levels that ask for it:"), links(levels));
    details.classList.add("chosen");
    if (focus) details.focus({ preventScroll: false });
    return;
  }
  const layer = data.layers[file.layer];
  const shown = [close, make("h3", {}, name(file.path)), facts([
    [archive ? "Archive" : "Layer", name(archive ? archive.name : placeOf(file))],
    ["Entry", file.entry == null ? null : number(file.entry)],
    ["Size", file.size < 1024 ? bytes(file.size) : `${bytes(file.size)} (${number(file.size)})`],
    ["Type", file.type],
  ])];
  if (archive) shown.push(make("p", {}, tag("not loaded", "warning"), ` ${archive.reason} `, make("span", { class: "note" }, `→ ${archive.help}`)));
  else shown.push(preview(file, 256, file.path));
  if (file.conflict != null) {
    const conflict = conflicts[file.conflict];
    const link = make("button", { type: "button", class: "link" }, "Compare them side by side");
    link.addEventListener("click", () => { details.classList.remove("chosen"); openConflict(conflict.index); });
    shown.push(make("p", {}, `It hides ${counted(conflict.copies.length - 1, "copy", "copies")} (${STATES[conflict.state][0]}). `, link));
  }
  if (file.lacks.length) shown.push(make("p", {}, mark(file), " It asks for files that nothing serves:"), links(file.lacks));
  for (const finding of file.findings) {
    shown.push(make("p", {}, tag(finding.severity, finding.severity), ` ${finding.reason} `, make("span", { class: "note" }, `→ ${finding.help}`)));
  }
  if (module && !archive) shown.push(actions(file));
  details.replaceChildren(...shown);
  details.classList.add("chosen");
  if (focus) details.focus({ preventScroll: false });
}

const filters = { search: byId("search"), layer: byId("layer"), type: byId("type"), state: byId("state") };

function filterBy(values) {
  for (const [key, element] of Object.entries(filters)) element.value = values[key] ?? "";
  showFiles(false);
  byId("files").scrollIntoView();
  byId("search").focus({ preventScroll: true });
}

function showFiles(keep) {
  const words = filters.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const { layer, type, state } = Object.fromEntries(Object.entries(filters).map(([key, element]) => [key, element.value]));
  const hasState = (file) => {
    const found = stateOf(file);
    if (state === "missing") return mark(file) != null;
    return state === "finding" ? file.findings.length > 0 : state === "hides" && file.asked ? false : state === "hides" ? found !== "only" : found === state;
  };
  matching = everything.filter((file) => (!layer || file.layer === Number(layer)) && (!type || file.type === type)
    && (!state || hasState(file)) && words.every((word) => file.path.toLowerCase().includes(word)));
  const asPictures = document.querySelector("#view input:checked").value === "pictures";
  const withPicture = asPictures ? matching.filter(hasPicture) : [];
  const isFiltered = words.length > 0 || layer || type || state;
  // a search shows what it found, wherever that is
  const notLoaded = words.length && !layer && !type && !state
    ? absent.filter((file) => words.every((word) => file.path.toLowerCase().includes(word))) : [];
  rows = isFiltered ? [...matching, ...notLoaded].map((file) => ({ file, depth: 1, flat: true })) : visible(tree(matching));
  treeElement.hidden = asPictures;
  byId("gallery").hidden = !asPictures;
  (keep ? galleryPager.replace : galleryPager.show)(withPicture);
  (keep ? treePager.replace : treePager.show)(asPictures ? [] : rows);
  rows[0]?.element?.setAttribute("tabindex", "0");
  const size = matching.reduce((sum, file) => sum + file.size, 0);
  const lost = matching.filter((file) => file.asked).length;
  const served = matching.length ? `${counted(matching.length - lost, "file", "files")}, ${bytes(size)}${lost ? `; ${number(lost)} missing` : ""}` : "No file matches.";
  const found = notLoaded.length ? `${served.replace(/\.$/, "")}; ${number(notLoaded.length)} in archives that are not loaded` : served;
  // no command says the same of a search by words
  document.querySelector("#files [data-command]").hidden = Boolean(isFiltered);
  if (module) askWhich(words.length && !rows.length && !layer && !type && !state ? filters.search.value.trim() : "");
  byId("found").textContent = asPictures && matching.length ? `${found}; ${counted(withPicture.length, "has a picture", "have a picture")}` : found;
}

on("filters", "submit", (event) => event.preventDefault());
on("filters", "input", () => showFiles(false));
on("view", "change", () => showFiles(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("details").classList.remove("chosen");
  if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
    event.preventDefault();
    byId("search").focus();
  }
});

/** Shows all of the data. */
function show() {
  resolve();
  showHead();
  stack(Number(document.querySelector("#measure input:checked").value));
  showConflicts(document.querySelector("#sameness input:checked").value);
  showFindings();
  showFilters();
  if (data.folders.length < 12 && everything.length < 200) for (const folder of new Set(everything.map((file) => file.folder))) {
    folder.split("/").reduce((path, part) => { const next = path ? `${path}/${part}` : part; open.add(next); return next; }, "");
  }
  const again = chosen && everything.find((file) => file.path === chosen.path);
  if (chosen && !again) byId("details").replaceChildren(make("p", { class: "note" }, "Choose a file to see it."));
  chosen = null;
  showFiles(true);
  if (again && byId("details").classList.contains("chosen")) choose(again, false);
}


// --- what is dropped: a module in a worker makes the data ---

/** The files by their paths. */
const dropped = new Map();
/** The engine, the system, the games and the missions; `null` and an empty engine stand for what the files suggest. */
let choice = { engine: "", on: "", games: null, missions: [] };
let engines = [];
let mounted = null;

/** Messages to the worker without answers. One at a time is with the worker, so that a fault ends one answer. */
const asks = [];
let worker = null;
/** The messages of the files and of the mount that are shown: they bring a new worker to where the last one was. */
let kept = [];

function startWorker() {
  const script = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
  const started = new Worker(script);
  worker = started;
  worker.addEventListener("message", ({ data: { progress, fault, ...answer } }) => {
    // the last word of a worker that was ended a moment ago
    if (started !== worker) return;
    if (fault != null) restart(`${fault} The other answers are as they were.`, true);
    else if (progress) byId("status").textContent = progress;
    else {
      const { resolve } = asks.shift();
      send();
      resolve(answer);
    }
  });
  worker.addEventListener("error", (event) => {
    if (started === worker) restart(`The worker of the page ended: ${event.message}.`, true);
  });
  worker.postMessage({ module: Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0)) });
  send();
}

/** Ends the worker and the answer that it was at, and starts another one. */
function restart(reason, isFault) {
  worker.terminate();
  const ended = asks.shift();
  // what ends by a fault would do so again
  if (isFault && ended?.restores) kept = [];
  const tell = ({ answer }) => { if (answer?.error) say(said(answer)); };
  const others = asks.filter((one) => !one.restores).map((one) => ({ ...one, sent: false }));
  const again = kept.map((message) => ({ message, restores: true, resolve: tell, reject: () => {} }));
  asks.splice(0, asks.length, ...again, ...others);
  startWorker();
  byId("status").textContent = reason;
  ended?.reject(new Error(reason));
}

let slow = 0;
function send() {
  const busy = asks.length > 0;
  byId("open").setAttribute("aria-busy", busy);
  // what is short needs no button
  clearTimeout(slow);
  byId("stop").hidden = true;
  if (busy) slow = setTimeout(() => { byId("stop").hidden = false; }, 1000);
  if (!busy || asks[0].sent) return;
  asks[0].sent = true;
  worker.postMessage(asks[0].message);
}

function ask(message) {
  return new Promise((resolve, reject) => {
    asks.push({ message, resolve, reject });
    send();
  });
}

/** What the module answers. */
async function question(kind, values = {}) {
  const { answer } = await ask({ question: { [kind]: values } });
  if (answer?.error) throw said(answer);
  return answer;
}
const said = ({ error, help }) => new Error([error, help].filter(Boolean).join(" → "));
const copyOf = ({ name, layer, entry }) => ({ name, layer, entry });
const say = (error) => { byId("status").textContent = error.message; };

/** Which game the page shows: what is asked of an earlier one counts no longer. */
let turn = 0;
let last = Promise.resolve();
let waiting = 0;
/** What failed while others waited, which is said when the last of them is done. */
let unsaid = null;

/** Does what changes the game, one after another. */
function inTurn(act) {
  leave();
  waiting += 1;
  last = last.then(() => {
    leave();
    waiting -= 1;
    return act();
  }).catch(say);
}

const isReading = ({ message }) => Boolean(message.question?.page);

/** Takes back the question that takes long, where the worker does not have it yet. */
function withdraw(reason) {
  const at = asks.findIndex((one) => isReading(one) && !one.sent);
  if (at >= 0) asks.splice(at, 1)[0].reject(new Error(reason));
}

/** Ends what is still read of the game that is shown. */
function leave() {
  turn += 1;
  withdraw("");
  if (asks.some(isReading)) restart("Reading…");
}

/** Mounts the files of a message and shows what is known at once; gives back why not. What failed before is said at the end. */
async function mount(files, failed) {
  const started = performance.now();
  byId("status").textContent = "Reading…";
  const message = { question: { mount: { ...choice } } };
  try {
    if (!engines.length) await listEngines();
    const { answer, read, memory } = await ask(message);
    if (answer.error) return said(answer);
    kept = [files, message];
    mounted = { ...answer, figures: { mounted: performance.now() - started, read, memory } };
  } catch (error) {
    return error;
  }
  choice = { ...choice, engine: mounted.engine, games: mounted.games };
  previews.clear();
  document.body.classList.remove("waiting");
  showChoices();
  showData(mounted.page, "Hidden copies are not compared yet, and levels are not asked what they need.");
  const why = failed ?? unsaid;
  unsaid = waiting ? why : null;
  // the next one in turn would end it
  if (!waiting) look(started, why);
  return null;
}

function showData(now, far) {
  data = now;
  looked = far;
  show();
}

/** Shows what takes reading. */
async function look(started, failed) {
  const mine = turn;
  const { figures } = mounted;
  byId("status").textContent = failed ? failed.message : "Reading what is hidden and what levels ask for…";
  try {
    const whole = await question("page");
    if (mine !== turn) return;
    showData(whole, LOOKED);
  } catch (error) {
    if (mine !== turn) return;
    showData(data, "Reading was stopped: hidden copies are not compared, and levels were not asked what they need.");
    say(failed ?? error);
    return;
  }
  const all = [...dropped.values()].reduce((sum, file) => sum + file.size, 0);
  const of = figures.read < all ? `${bytes(figures.read)} of ${bytes(all)}` : bytes(figures.read);
  const words = `Mounted in ${Math.ceil(figures.mounted)} ms, for which ${of} were read; looked through in ${seconds((performance.now() - started) / 1000)}.`;
  byId("status").textContent = failed ? failed.message : words;
}

const sentence = (error) => error.message.replace(/\.$/, "");

/** Takes more files: a promise of an array of paths and files. */
function take(found) {
  // it is waited for in its turn, and may fail before
  found.catch(() => {});
  inTurn(async () => {
    const more = await found.catch((error) => error);
    if (more instanceof Error || !more.length) {
      const why = more instanceof Error ? new Error(`A file cannot be read: ${more.message}`) : new Error("There was no file in it.");
      if (mounted && looked !== LOOKED) look(performance.now(), why);
      else say(why);
      return;
    }
    const [before, was] = [new Map(dropped), choice];
    for (const [path, file] of more) dropped.set(path, file);
    choice = { ...choice, games: mounted && !more.some(([path]) => /\.zip$/i.test(path)) ? choice.games : null };
    const failed = await put();
    if (!failed) return;
    // the game that was there is there again
    dropped.clear();
    for (const [path, file] of before) dropped.set(path, file);
    choice = was;
    const again = dropped.size ? await put(new Error(`${sentence(failed)}. Nothing of this drop is taken.`)) : failed;
    if (!again) return;
    unsaid = waiting ? again : null;
    say(again);
  });
}

/** Chooses otherwise, and as before where that cannot be mounted. */
function change(values) {
  inTurn(async () => {
    const was = choice;
    choice = { ...choice, ...values };
    const failed = await mount(kept[0]);
    if (!failed) return;
    choice = was;
    showChoices();
    const again = await mount(kept[0], new Error(`The choice is taken back: ${failed.message}`));
    if (again) say(again);
  });
}

/** Gives the worker all files, and mounts them; gives back why not. */
async function put(failed) {
  const message = { files: [...dropped] };
  const { answer } = await ask(message).catch((error) => ({ answer: { error: error.message } }));
  if (answer.error) return said(answer);
  byId("over").hidden = false;
  return mount(message, failed);
}

/** The files of what was dropped, folders with all that is in them. */
async function filesOf(items) {
  const found = [];
  const ofHandle = async (handle, path) => {
    if (handle.kind === "file") found.push([path, await handle.getFile()]);
    else for await (const [last, below] of handle.entries()) await ofHandle(below, `${path}/${last}`);
  };
  const ofEntry = async (entry) => {
    if (entry.isFile) {
      found.push([entry.fullPath.slice(1), await new Promise((resolve, reject) => { entry.file(resolve, reject); })]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      // it gives some at a time
      const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
      if (!some.length) return;
      for (const one of some) await ofEntry(one);
    }
  };
  // the items are gone after the event; Chromium gives a page from a file its handles alone, other browsers have no handles
  const kept = [...items].filter((item) => item.kind === "file").map((item) => (item.getAsFileSystemHandle ? { handle: item.getAsFileSystemHandle() } : { entry: item.webkitGetAsEntry() }));
  for (const { handle, entry } of kept) {
    if (entry) await ofEntry(entry);
    else await ofHandle(await handle, (await handle).name);
  }
  return found;
}

function checks(id, all, taken) {
  const field = byId(id);
  field.hidden = !all.length;
  const boxes = all.map((value) => make("label", {}, make("input", { type: "checkbox", value, checked: taken.includes(value) }), make("span", {}, value)));
  field.replaceChildren(field.firstElementChild, ...boxes);
}

async function listEngines() {
  engines = await question("engines");
  byId("engine").replaceChildren(...engines.map((engine) => make("option", { value: engine.name }, engine.name)));
}

function showChoices() {
  const engine = engines.find((one) => one.name === choice.engine);
  byId("engine").value = choice.engine;
  byId("on").value = choice.on;
  checks("games", [...new Set([...mounted.games, ...mounted.known])], mounted.games);
  checks("missions", engine.missions, choice.missions);
  byId("options").hidden = false;
  byId("against").replaceChildren(make("option", { value: "" }, "choose an engine"), ...engine.comparable.map((value) => make("option", { value }, value)));
  byId("compared").replaceChildren();
  byId("line").textContent = line("path");
}

// --- the command that would say the same ---

const windows = /win/i.test(navigator.userAgentData?.platform ?? navigator.platform);
/** A word as a shell takes it: one of Unix, or PowerShell, to which `@` and `,` mean something, and cmd where no `$` is in it. */
function quoted(word) {
  if ((windows ? /^[\w./:+=-]+$/ : /^[\w./:@%+=,-]+$/).test(word)) return word;
  if (!windows) return `'${word.replaceAll("'", "'\\''")}'`;
  return /[$`"]/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}
function line(command, ...words) {
  const options = [];
  for (let at = 0; at < mounted.line.length; at += 2) {
    const [option, value] = [mounted.line[at], mounted.line[at + 1]];
    if (command === "compare" && option === "--engine") continue;
    // a value that begins with a dash would be taken for an option
    options.push(...(value.startsWith("-") ? [`${option}=${value}`] : [option, value]));
  }
  return ["quakefs", ...options, command, ...words].map(quoted).join(" ");
}
const whichLine = (path) => line("which", "-a", ...(path.startsWith("-") ? ["--"] : []), path);

async function copyLine(text) {
  byId("line").textContent = text;
  try {
    await navigator.clipboard.writeText(text);
    byId("status").textContent = `Copied: ${text}`;
  } catch {
    // a browser may not give the clipboard to a file; the line is there to be copied by hand
    getSelection().selectAllChildren(byId("line"));
    byId("line").focus();
    byId("status").textContent = "The command is marked: copy it from there.";
  }
}

function button(words, act) {
  const element = make("button", { type: "button" }, words);
  element.addEventListener("click", act);
  return element;
}

// --- saving ---

function download(blob, path) {
  const link = make("a", { download: path.split("/").pop(), href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const saveButton = (copy) => button("Save this copy", async () => {
  const { answer, blob } = await ask({ source: copyOf(copy) }).catch((error) => ({ answer: { error: error.message } }));
  if (!blob) return say(said(answer));
  download(blob, answer.path ?? "file");
});

async function saveAll() {
  const wanted = matching.filter((file) => !file.asked);
  if (wanted.length > 0xffff || wanted.reduce((sum, file) => sum + file.size, 0) > 0xffff_0000) {
    say(new Error("A ZIP of 4 GiB, or of more than 65535 files, is too large for the page: narrow the files by a search."));
    return;
  }
  const { answer, blob } = await ask({ zip: wanted.map(copyOf) }).catch((error) => ({ answer: { error: error.message } }));
  if (!blob) return say(said(answer));
  download(blob, `${data.game[0] || "quake"}.zip`);
  byId("status").textContent = `${counted(answer.count, "file", "files")} saved${answer.left.length ? `; ${number(answer.left.length)} left out, whose names are no paths or which cannot be read: ${answer.left.slice(0, 5).join(", ")}` : ""}.`;
}

// --- more answers ---

function actions(file) {
  const row = make("p", { class: "actions" }, saveButton(file), " ", button("Copy the command", () => copyLine(whichLine(file.path))));
  const more = make("div", {}, row);
  if (/\.bsp$/i.test(file.last)) row.append(" ", button("What it asks for", async () => {
    const needs = await question("needs", { name: file.path }).catch(say);
    if (!needs) return;
    const { asked, troubles } = needs;
    more.append(...troubles.map((trouble) => make("p", {}, tag("not known", "warning"), ` ${trouble}`)));
    if (asked.length) more.append(table(["file", "from", "asked for by"], asked.map((need) => [
      name(need.name), need.missing ? tag("missing", "error") : name(need.layer ?? "–"), name(need.by),
    ])));
    else if (!troubles.length) more.append(make("p", { class: "note" }, "It asks for no file."));
  }));
  return more;
}

function table(titles, rows) {
  const head = make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title))));
  const body = make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))));
  return make("div", { class: "wide" }, make("table", { class: "rows" }, head, body));
}

let whichTurn = 0;
/** Says why a name that no file has is not found. */
async function askWhich(text) {
  const mine = ++whichTurn;
  const place = byId("which");
  place.replaceChildren();
  if (!text) return;
  const said = await question("which", { name: text }).catch(say);
  if (!said || mine !== whichTurn) return;
  const file = byPath.get(said.found);
  if (!file) place.replaceChildren(make("span", {}, said.reason), " ", make("span", { class: "note" }, said.help ? `→ ${said.help}` : ""));
  else {
    const link = make("button", { type: "button", class: "link" }, name(file.path));
    link.addEventListener("click", () => { filterBy({ search: file.path }); choose(file, true); });
    place.replaceChildren("The engine finds ", link, " for it.");
  }
}

async function compareWith(other) {
  const place = byId("compared");
  place.replaceChildren();
  if (!other) return;
  const mine = turn;
  const both = [choice.engine, other];
  const found = await question("compare", { ...choice, engine: both }).catch(say);
  if (!found || mine !== turn) return;
  const causes = found.causes.map((cause) => make("details", {},
    make("summary", {}, make("span", { class: "name" }, cause.because), tag(cause.cause), tag(counted(cause.all, "name", "names"), "differs")),
    table(["name", ...both], cause.names.map(([path, places]) => [name(path), ...places.map((layer) => name(layer ?? "–"))])),
    cause.all > cause.names.length ? make("p", { class: "note" }, `and ${number(cause.all - cause.names.length)} more`) : null));
  place.replaceChildren(make("p", {}, causes.length
    ? `${choice.engine} and ${other} load other files, by these rules:` : `They load the same files: ${counted(found.names, "name", "names")} compared.`), ...causes);
}

function start() {
  document.body.classList.add("waiting");
  byId("game").replaceChildren("What does my Quake load?");
  byId("summary").textContent = "Drop a game folder here, and see which files an engine loads from it, what they hide, and what is not loaded and why.";
  document.title = "quakefs";
  for (const element of document.querySelectorAll("[data-live]")) element.hidden = false;
  on("engine", "change", (event) => change({ engine: event.target.value, missions: [] }));
  on("on", "change", (event) => change({ on: event.target.value }));
  const checked = (id) => [...byId(id).querySelectorAll("input:checked")].map((box) => box.value);
  on("games", "change", () => change({ games: checked("games") }));
  on("missions", "change", () => change({ missions: checked("missions") }));
  on("options", "submit", (event) => event.preventDefault());
  on("against", "change", (event) => compareWith(event.target.value));
  on("stop", "click", () => {
    withdraw("Stopped.");
    restart("Stopped.");
  });
  on("over", "click", () => location.reload());
  on("save-all", "click", saveAll);
  for (const one of document.querySelectorAll("[data-command]")) {
    one.addEventListener("click", () => {
      const { command } = one.dataset;
      const against = byId("against").value;
      if (command === "compare" && !against) say(new Error("Choose the engine to compare with first."));
      else copyLine(line(command, ...(command === "compare" ? [choice.engine, against] : [])));
    });
  }
  for (const id of ["folder", "several"]) {
    on(id, "change", ({ target }) => {
      take(Promise.resolve([...target.files].map((file) => [file.webkitRelativePath || file.name, file])));
      target.value = "";
    });
    // a button, as a label has no focus of its own
    on(`choose-${id}`, "click", () => byId(id).click());
  }
  byId("choose-folder").hidden = !("webkitdirectory" in byId("folder"));
  document.addEventListener("dragover", (event) => { event.preventDefault(); byId("drop").classList.add("over"); });
  document.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    take(filesOf(event.dataTransfer.items));
  });
  startWorker();
  listEngines().catch(say);
}

if (module) start();
else show();
