// The choices: engine, system, games and missions.

async function listEngines() {
  engines = await question("engines");
  groupEngines();
}

/** The engines in groups by their games: first those for the game that is shown. */
function groupEngines() {
  const shown = engines.find((one) => one.name === mounted?.engine)?.game;
  const games = new Set([...(shown ? [shown] : []), ...engines.map(({ game }) => game)]);
  const option = ({ name: value }) => make("option", { value }, engineWords(value));
  byId("engine").replaceChildren(...[...games].map((game) => make("optgroup", { label: game }, ...engines.filter((one) => one.game === game).map(option))));
}

function showChoices() {
  const engine = engines.find((one) => one.name === mounted.engine);
  // not under a list that somebody moves through
  if (byId("engine").firstElementChild?.label !== engine.game) groupEngines();
  byId("engine").value = mounted.engine;
  byId("because").textContent = mounted.because && `${engineWords(mounted.engine)}: ${mounted.because}.`;
  byId("on").value = choice.on;
  showChecks("games", [...new Set([...mounted.known, ...mounted.games])].map((game) => [game, game]), mounted.games);
  showChecks("missions", engine.missions, choice.missions);
  showDrops();
  byId("choices").hidden = false;
  byId("against").replaceChildren(make("option", { value: "" }, "choose an engine"), ...engine.comparable.map((value) => make("option", { value }, engineWords(value))));
  byId("compared").replaceChildren();
  byId("line").textContent = commandLine("path");
}

/** The boxes of a choice: a value and its title each. They stay the same elements, and so keep the focus, while the list is the same. */
function showChecks(id, all, chosen) {
  const field = byId(id);
  field.hidden = !all.length;
  const inputs = [...field.querySelectorAll("input")];
  if (inputs.length === all.length && inputs.every((input, index) => input.value === all[index][0])) {
    for (const input of inputs) input.checked = chosen.includes(input.value);
    return;
  }
  const boxes = all.map(([value, title]) => make("label", {}, make("input", { type: "checkbox", value, checked: chosen.includes(value) }), make("span", {}, title)));
  field.replaceChildren(field.firstElementChild, ...boxes);
}

/** Calls `act` when somebody has chosen: at once by the pointer, but by keys only after a pause, the Enter key or a step out of the list. */
function whenChosen(id, act) {
  let [byKeys, waits] = [false, 0];
  const done = () => {
    clearTimeout(waits);
    waits = 0;
    act(byId(id).value);
  };
  on(id, "keydown", ({ key }) => {
    if (key === "Enter" && waits) done();
    else byKeys = key !== "Enter";
  });
  on(id, "pointerdown", () => { byKeys = false; });
  on(id, "blur", () => { if (waits) done(); });
  on(id, "change", () => {
    clearTimeout(waits);
    if (byKeys) waits = setTimeout(done, PAUSE);
    else done();
  });
}
const PAUSE = 1000;

function listenForChoices() {
  whenChosen("engine", (engine) => changeChoice({ engine, missions: [] }));
  whenChosen("on", (system) => changeChoice({ on: system }));
  for (const id of ["games", "missions"]) {
    on(id, "change", () => changeChoice({ [id]: [...byId(id).querySelectorAll("input:checked")].map((box) => box.value) }));
  }
  on("options", "submit", (event) => event.preventDefault());
  whenChosen("against", compareWith);
}
