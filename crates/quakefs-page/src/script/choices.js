// The choices: engine, system, games and missions.

async function listEngines() {
  engines = await question("engines");
  byId("engine").replaceChildren(...engines.map((engine) => make("option", { value: engine.name }, engineWords(engine.name))));
}

function showChoices() {
  const engine = engines.find((one) => one.name === choice.engine);
  byId("engine").value = choice.engine;
  byId("on").value = choice.on;
  showChecks("games", [...new Set([...mounted.games, ...mounted.known])], mounted.games);
  showChecks("missions", engine.missions, choice.missions);
  showPlaced();
  byId("options").hidden = false;
  byId("against").replaceChildren(make("option", { value: "" }, "choose an engine"), ...engine.comparable.map((value) => make("option", { value }, engineWords(value))));
  byId("compared").replaceChildren();
  byId("line").textContent = commandLine("path");
}

function showChecks(id, all, chosen) {
  const field = byId(id);
  field.hidden = !all.length;
  const boxes = all.map((value) => make("label", {}, make("input", { type: "checkbox", value, checked: chosen.includes(value) }), make("span", {}, value)));
  field.replaceChildren(field.firstElementChild, ...boxes);
}

function listenForChoices() {
  on("engine", "change", (event) => changeChoice({ engine: event.target.value, missions: [] }));
  on("on", "change", (event) => changeChoice({ on: event.target.value }));
  for (const id of ["games", "missions"]) {
    on(id, "change", () => changeChoice({ [id]: [...byId(id).querySelectorAll("input:checked")].map((box) => box.value) }));
  }
  on("options", "submit", (event) => event.preventDefault());
  on("against", "change", (event) => compareWith(event.target.value));
}
