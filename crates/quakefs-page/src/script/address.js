// The address: after `#` stand the engine, the system, the games, the search and the open file. Back and a reload keep them.

/** The state of the address; `null` without one, such as for a link to a section. */
function readAddress() {
  if (!location.hash.includes("=")) return null;
  const fields = new URLSearchParams(location.hash.slice(1));
  const filtered = Object.fromEntries(Object.keys(filters).map((key) => [key, fields.get(key) ?? ""]));
  const on = fields.get("on") in SYSTEMS ? fields.get("on") : SYSTEM;
  return { choice: { engine: fields.get("engine") ?? "", on, games: fields.getAll("game"), missions: fields.getAll("mission") }, filtered, file: fields.get("file") };
}

/** The state that the next view takes from the address. */
let wanted = readAddress();
/** Whether a choice of the person led to the next view: then Back returns to the one before. */
let isStep = false;
/** While the address is followed, it is not written. */
let isFollowing = false;

function writeAddress(step) {
  if (isFollowing) return;
  const fields = new URLSearchParams();
  const add = (key, ...values) => { for (const value of values) if (value) fields.append(key, value); };
  if (mounted) {
    add("engine", choice.engine);
    add("on", choice.on);
    add("game", ...choice.games);
    add("mission", ...choice.missions);
  }
  for (const [key, { value }] of Object.entries(filters)) add(key, key === "layer" && value ? data.layers[value].name : value);
  add("file", chosen?.path);
  const [before, hash] = [location.hash || "#", `#${fields}`];
  const isSection = before.length > 1 && !before.includes("=");
  if (hash === before || (isSection && hash === "#")) return;
  history[step ? "pushState" : "replaceState"](null, "", hash);
}

/** Sets the filters, and returns the open file of a state. */
function followed({ filtered, file }) {
  const layer = data.layers.findIndex((one) => one.name === filtered.layer);
  for (const [key, element] of Object.entries(filters)) element.value = key === "layer" && layer >= 0 ? layer : filtered[key] ?? "";
  return everything.find((one) => one.path === file);
}

addEventListener("popstate", () => {
  const state = readAddress() ?? { filtered: {}, choice };
  if (!data) return;
  const isSame = Object.entries(state.choice).every(([key, value]) => String(value) === String(choice[key]));
  if (mounted && !isSame) {
    wanted = state;
    changeChoice(state.choice);
    return;
  }
  isFollowing = true;
  const file = followed(state);
  showFiles();
  if (file) choose(file, false);
  else closeFile();
  refreshFiles();
  isFollowing = false;
});

// a link to a section keeps the state
for (const one of document.querySelectorAll("nav a, .skip")) {
  one.addEventListener("click", (event) => {
    event.preventDefault();
    const section = document.querySelector(one.hash);
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
    section.scrollIntoView();
  });
}
