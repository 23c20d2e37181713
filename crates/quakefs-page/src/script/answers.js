// Answers of the module: the files that a level needs, why a search finds nothing, how two engines differ.

/** The buttons below a file. */
function actions(file) {
  const row = make("p", { class: "actions" }, saveButton(file), " ", button("Copy the command", () => copyLine(whichLine(file.path))));
  const more = make("div", {}, row);
  if (/\.bsp$/i.test(file.last)) {
    const open = button("Files it needs", async () => {
      open.disabled = true;
      const needs = await question("needs", { name: file.path }).catch(showError);
      if (needs) more.append(...needsParts(needs.levels[0]));
      else open.disabled = false;
    });
    row.append(" ", open);
  }
  return more;
}

function needsParts({ needed, troubles }) {
  const parts = troubles.map((trouble) => make("p", {}, tag("not known", "warning"), ` ${trouble}`));
  const rowsOf = (needs) => table(["file", "from", "needed by"],
    needs.map((need) => [name(need.name), need.missing ? tag("missing", "error") : name(need.layer ?? "–"), name(need.by.join(", "))]));
  const [lost, there] = [needed.filter((need) => need.missing), needed.filter((need) => !need.missing)];
  if (lost.length) parts.push(rowsOf(lost));
  if (there.length) parts.push(make("details", {}, make("summary", {}, counted(there.length, "file is there", "files are there")), rowsOf(there)));
  if (needed.length) return parts;
  else if (!troubles.length) parts.push(note("It needs no other file."));
  return parts;
}

let searches = 0;
/** Shows why the engine does not find a name, or which file it finds instead. */
async function explainSearch(text) {
  const mine = ++searches;
  const place = byId("which");
  place.replaceChildren();
  if (!text) return;
  const answer = await question("which", { name: text }).catch(showError);
  if (!answer || mine !== searches) return;
  const file = byPath.get(answer.path);
  // without a known cause the advice is to look into the list, which the page shows
  const help = answer.because !== "not-there" && answer.help;
  if (file) place.replaceChildren("The engine finds ", link(name(file.path), () => goTo(file)), " for this name.");
  else if (!help) place.replaceChildren(`${text}: no layer has a file with this in its name.`);
  else place.replaceChildren(make("span", {}, answer.reason), " ", advice(help));
}

async function compareWith(other) {
  const place = byId("compared");
  place.replaceChildren();
  if (!other) return;
  const mine = turn;
  const both = [mounted.engine, other];
  const found = await question("compare", { ...asked(), engines: both }).catch(showError);
  if (!found || mine !== turn) return;
  const words = found.causes.length
    ? `${engineWords(mounted.engine)} and ${engineWords(other)} load different files, by these rules:`
    : `They load the same files: ${counted(found.names, "name", "names")} compared.`;
  place.replaceChildren(make("p", {}, words), ...found.causes.map((cause) => causeRow(cause, both)));
}

function causeRow(cause, both) {
  const rows = cause.differences.map(({ name: path, engines: all }) => [name(path), ...all.map(({ layer }) => name(layer ?? "–"))]);
  const more = cause.names - cause.differences.length;
  return make("details", {},
    make("summary", {}, name(cause.rule), tag(cause.because), tag(counted(cause.names, "name", "names"), "differs")),
    table(["name", ...both.map((engine) => engineWords(engine))], rows),
    more > 0 ? note(`and ${number(more)} more`) : null);
}
