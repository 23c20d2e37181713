// How a copy differs from the winner: texts by lines, pictures under a slider, levels over each other, sounds by turns.

/** The most copies that are compared with the winner, and the most pictures of two files. */
const COMPARED = 3;
const COMPARED_PICTURES = 12;

/** Two pictures over each other: the slider moves the border between them. */
function slidPictures([old, fresh], words) {
  const images = [old, fresh].map((shown) => make("img", { class: "picture", alt: "", src: shown.source }));
  const stage = make("div", { class: "slid" }, ...images);
  images[1].addEventListener("load", () => {
    const scale = Math.max(1, Math.floor(256 / Math.max(images[1].naturalWidth, images[1].naturalHeight)));
    stage.style.width = `${images[1].naturalWidth * scale}px`;
  });
  const slider = make("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": `Border between the two pictures of ${words}` });
  const show = () => { images[1].style.clipPath = `inset(0 0 0 ${slider.value}%)`; };
  slider.addEventListener("input", show);
  show();
  const size = ({ width, height }) => (width ? `${width} × ${height}` : "");
  const sizes = size(old) === size(fresh) ? size(fresh) : `${size(old)} and ${size(fresh)}`;
  return make("figure", { class: "compared" }, stage, slider, make("figcaption", {}, [words, sizes].filter(Boolean).join(", ")));
}

/** The pictures that differ, each beside the winner's of the same name. */
function pictureDiff(shown, words) {
  const [old, fresh] = shown.map((one) => one.shown);
  const pairs = fresh.map((one, index) => [old.find((other) => one.name && other.name === one.name) ?? (one.name ? null : old[index]), one])
    .filter(([one, other]) => one && one.source !== other.source);
  if (!pairs.length) return [];
  const more = pairs.length - COMPARED_PICTURES;
  return [
    note("The overridden copy is on the left, the winner on the right."),
    make("div", { class: "pictures" }, ...pairs.slice(0, COMPARED_PICTURES).map((pair) => slidPictures(pair, pair[1].name || words))),
    ...(more > 0 ? [note(`and ${counted(more, "more picture differs", "more pictures differ")}`)] : []),
  ];
}

/** Two levels from above, over each other, in units of the game. */
function levelDiff([{ outline: old }, { outline: fresh }], words) {
  if (!old || !fresh) return [];
  const both = [old, fresh];
  const [west, north] = [Math.min(...both.map(({ corner }) => corner[0])), Math.max(...both.map(({ corner }) => corner[1]))];
  const [east, south] = [Math.max(...both.map(({ corner, units }) => corner[0] + units[0])), Math.min(...both.map(({ corner, units }) => corner[1] - units[1]))];
  const path = (outline, kind) => {
    const [edges, step] = [numbers(outline.lines), Math.max(1, ...outline.units) / 65535];
    const at = (index) => `${Math.round(outline.corner[0] - west + edges[index] * step)} ${Math.round(north - outline.corner[1] + edges[index + 1] * step)}`;
    const lines = Array.from({ length: edges.length >> 2 }, (_, line) => [at(line * 4), at(line * 4 + 2)]);
    return [kind, lines];
  };
  const [before, after] = [path(old, "lost"), path(fresh, "added")];
  const known = [before, after].map(([, lines]) => new Set(lines.map(String)));
  const draw = (kind, lines) => drawn("path", { class: kind, d: lines.map(([from, to]) => `M${from}L${to}`).join("") });
  const same = after[1].filter((line) => known[0].has(String(line)));
  const [lost, added] = [before[1].filter((line) => !known[1].has(String(line))), after[1].filter((line) => !known[0].has(String(line)))];
  if (!lost.length && !added.length) return [];
  const [width, height] = [east - west, north - south];
  const view = drawn("svg", { class: "outline both", viewBox: `${-width / 50} ${-height / 50} ${width * 1.04} ${height * 1.04}`, role: "img", "aria-label": `Both copies of ${words} from above` },
    draw("same", same), draw("lost", lost), draw("added", added));
  const legend = (kind, text) => [make("span", { class: `key ${kind}` }), ` ${text} `];
  return [view, make("p", { class: "note" }, ...legend("lost", `${counted(lost.length, "edge", "edges")} only in the overridden copy`), ...legend("added", `${number(added.length)} only in the winner`), ...legend("same", `${number(same.length)} in both`))];
}

async function difference(winner, copy) {
  const shown = await Promise.all([copy, winner].map(previewOf));
  const [type] = shown.map((one) => one?.type);
  if (shown.some((one) => one?.type !== type)) return null;
  const parts = {
    text: () => textDiff(winner, copy, shown),
    pictures: () => pictureDiff(shown, winner.name),
    level: () => [...levelDiff(shown, winner.name), ...pictureDiff(shown.map((one) => one.textures), winner.name)],
    model: () => pictureDiff(shown.map((one) => one.pictures), winner.name),
    sound: () => soundDiff(shown),
  }[type];
  const found = parts ? await parts() : [];
  return found.length ? make("div", {}, make("h3", {}, "From ", name(data.layers[copy.layer].name), " to the winner"), ...found) : null;
}

/** An element that fills with the differences of the copies. */
function differences({ copies }) {
  const element = make("div");
  const others = copies.slice(1).filter((copy) => copy.same !== true).slice(0, COMPARED);
  Promise.all(others.map((copy) => difference(copies[0], copy)))
    .then((all) => element.append(...all.filter(Boolean))).catch(showError);
  return element;
}
