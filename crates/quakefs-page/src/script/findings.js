// The findings: what is wrong with the game or looks unintended, each with advice.

const findingList = pager(document.querySelector("#findings .list"), document.querySelector("#findings .more"), 50, findingRow);

function findingRow(finding) {
  const file = finding.name == null ? null : byPath.get(finding.name);
  const place = name(finding.location);
  const [words, kind] = finding.stops ? ["stops", "error"] : [finding.severity, finding.severity];
  return make("li", {},
    make("div", {}, tag(words, kind)),
    make("div", {}, file ? link(place, () => goTo(file)) : place, make("div", {}, finding.reason), make("div", { class: "help" }, finding.help && `→ ${finding.help}`)));
}

function showFindings() {
  findingList.show(findings);
  showRenames();
  const none = unread === COMPLETE ? ["No problems found."] : [];
  byId("findings-note").textContent = [
    ...(findings.length ? [findings.some(({ stops }) => stops) ? "Findings that stop the engine come first, each with advice." : "Each finding has advice."] : none),
    ...(unread === COMPLETE ? [] : [unread]),
    ...data.more_findings.map(([kind, count]) => `${number(count)} more findings of the kind ${kind} are not shown here: quakefs check lists them.`),
    ...(missing.length ? ["The tree shows the files that levels need and no layer has."] : []),
  ].join(" ");
}
