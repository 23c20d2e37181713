// The layers: how many files of each win, override others and are overridden; the skipped archives beside them.

const MEASURES = { files: 0, bytes: 1 };

function showLayers() {
  const measure = MEASURES[document.querySelector("#measure input:checked").value];
  const most = Math.max(1, ...data.layers.map((layer) => layer.serves[measure] + layer.overridden[measure]));
  // a user directory appears on disk when the engine first writes to it
  const rows = [...data.layers.entries()].filter(([, layer]) => layer.there)
    .flatMap(([index, layer]) => [...skippedBeside(index), layerRow(index, layer, measure, most)]);
  document.querySelector("#layer-table tbody").replaceChildren(...rows, ...skippedBeside(null));
}

function layerRow(index, layer, measure, most) {
  const track = make("div", { class: "track" });
  for (const [part, kind] of [["serves", "wins"], ["overridden", "overridden"]]) {
    if (!layer[part][measure]) continue;
    const bar = make("i", { class: kind });
    bar.style.width = `max(2px, ${(100 * layer[part][measure]) / most}%)`;
    track.append(bar);
  }
  const problems = layer.problems ? tag(counted(layer.problems, "finding", "findings"), "warning") : null;
  const title = link(name(layer.name), () => filterBy({ layer: String(index) }));
  const cell = (words, [count, size]) => make("td", { "data-title": words }, count ? number(count) : "–", count ? make("small", {}, bytes(size)) : null);
  const known = layer.known ? make("small", {}, layer.known) : null;
  return make("tr", {}, make("th", { scope: "row" }, title, " ", tag(layer.kind), " ", problems, known), make("td", { class: "bar" }, track),
    cell("wins", layer.serves), cell("overrides", layer.overrides), cell("overridden", layer.overridden));
}

/** The skipped archives in the folder of a layer. `null` gives the archives in other folders. */
function skippedBeside(index) {
  return data.skipped.filter((archive) => archive.beside === index).map((archive) => {
    const head = make("th", { scope: "row" }, name(archive.name), " ", tag("skipped", "warning"));
    return make("tr", { class: "skipped" }, head, make("td", { colspan: "4" }, spoken(archive.reason), make("small", {}, `→ ${archive.help}`)));
  });
}

on("measure", "change", showLayers);
