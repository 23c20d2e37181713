// The search and the filters, and the files that match as a tree, a list or thumbnails.

const filters = { search: byId("search"), layer: byId("layer"), type: byId("type"), state: byId("state") };
/** The files that match the filters. */
let matching = [];

/** Fills a filter. Its choice is kept if it is still an option. */
function fillFilter(select, options) {
  const kept = select.value;
  select.replaceChildren(select.firstElementChild, ...options.map(([value, words]) => make("option", { value }, words)));
  if (options.some(([value]) => String(value) === kept)) select.value = kept;
}

function showFilters() {
  fillFilter(filters.layer, [...data.layers.entries()].filter(([, layer]) => layer.serves[0]).map(([index, layer]) => [index, layer.name]));
  fillFilter(filters.type, [...data.types].sort().map((type) => [type, type]));
  const left = data.omitted;
  byId("files-note").textContent = [
    "Each name once, with the layer that wins.",
    ...(left.previews ? [`The page has no room for ${counted(left.previews, "more preview", "more previews")}.`] : []),
    ...(left.sounds ? [`The page has no room for the bytes of ${counted(left.sounds, "sound", "sounds")}, so ${left.sounds === 1 ? "it" : "they"} cannot be played here.`] : []),
    ...(left.previews || left.sounds ? ["Conflicts come first, then the mod's own files, then levels, then the smallest files. quakefs report --max-size makes more room."] : []),
    ...(left.grey ? [`The game has no palette, so ${counted(left.grey, "picture is", "pictures are")} grey.`] : []),
  ].join(" ");
}

function filterBy(values) {
  closeSheet();
  for (const [key, element] of Object.entries(filters)) element.value = values[key] ?? "";
  showFiles();
  byId("files").scrollIntoView();
  byId("search").focus({ preventScroll: true });
}

function hasState(file, state) {
  const found = stateOf(file);
  if (state === "missing") return missingTag(file) != null;
  if (state === "finding") return file.findings.length > 0;
  if (state === "overrides") return !file.needed && found !== "only";
  return found === state;
}

function showFiles() {
  listFiles(false);
  writeAddress(false);
}
/** Shows the files again, with as many rows as before. */
const refreshFiles = () => listFiles(true);

function listFiles(keep) {
  const words = filters.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [layer, type, state] = [filters.layer.value, filters.type.value, filters.state.value];
  const hasWords = (file) => words.every((word) => file.path.toLowerCase().includes(word));
  matching = everything.filter((file) => (!layer || file.layer === Number(layer)) && (!type || file.type === type) && (!state || hasState(file, state)) && hasWords(file));
  const onlyWords = words.length > 0 && !layer && !type && !state;
  const inSkipped = onlyWords ? skipped.filter(hasWords) : [];
  const isFiltered = words.length > 0 || layer || type || state;
  rows = isFiltered ? sorted([...matching, ...inSkipped]).map((file) => ({ file, depth: 1, flat: true })) : visible(tree(matching));
  const asPictures = document.querySelector("#view input:checked").value === "pictures";
  const withPicture = asPictures ? matching.filter(hasPicture) : [];
  treeElement.hidden = asPictures;
  byId("columns").hidden = asPictures || !rows.length;
  byId("gallery").hidden = !asPictures;
  (keep ? galleryPager.replace : galleryPager.show)(withPicture);
  (keep ? treePager.replace : treePager.show)(asPictures ? [] : rows);
  rows[0]?.element?.setAttribute("tabindex", "0");
  byId("save-all").disabled = matching.every((file) => file.needed);
  // `quakefs ls` has no search by words and no filters
  document.querySelector("#files [data-command]").hidden = Boolean(isFiltered);
  if (module) explainSearch(onlyWords && !rows.length ? filters.search.value.trim() : "");
  byId("found").textContent = foundSentence(inSkipped.length, asPictures ? withPicture.length : null);
}

function foundSentence(inSkipped, withPicture) {
  const lost = matching.filter((file) => file.needed).length;
  const size = matching.reduce((sum, file) => sum + file.size, 0);
  if (!matching.length) return inSkipped ? `No file matches; ${number(inSkipped)} in skipped archives` : "No file matches.";
  return [
    `${counted(matching.length - lost, "file", "files")}, ${bytes(size)}`,
    lost ? `${number(lost)} missing` : null,
    inSkipped ? `${number(inSkipped)} in skipped archives` : null,
    withPicture == null ? null : counted(withPicture, "has a picture", "have a picture"),
  ].filter(Boolean).join("; ");
}

function galleryItem(file) {
  const item = button(thumbnail(file), () => { choose(file, true); refreshFiles(); }, { title: file.path, "aria-pressed": String(file === chosen) });
  item.append(name(file.last), make("small", {}, file.folder));
  return item;
}
const galleryMore = make("button", { type: "button", class: "more", hidden: true });
byId("gallery").after(galleryMore);
const galleryPager = pager(byId("gallery"), galleryMore, 120, galleryItem);

on("filters", "submit", (event) => event.preventDefault());
on("filters", "input", showFiles);
on("view", "change", showFiles);
on("columns", "click", ({ target }) => {
  const { sort: key } = target.dataset;
  if (!key) return;
  order = { key, down: order.key === key && !order.down };
  for (const one of byId("columns").children) {
    one.setAttribute("aria-pressed", String(one === target));
    one.textContent = one.textContent.replace(/ [▴▾]$/, "") + (one === target ? (order.down ? " ▾" : " ▴") : "");
  }
  refreshFiles();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("details").classList.remove("chosen");
  if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
    event.preventDefault();
    byId("search").focus();
  }
});
