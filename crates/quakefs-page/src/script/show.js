// All parts of the page, from one set of data.

function show() {
  resolve();
  showHead();
  showLayers();
  showConflicts();
  showFindings();
  showFilters();
  if (data.folders.length < 12 && everything.length < 200) openAll();
  const again = chosen && everything.find((file) => file.path === chosen.path);
  if (chosen && !again) byId("details").replaceChildren(note("Choose a file to see it."));
  chosen = null;
  refreshFiles();
  if (again && byId("details").classList.contains("chosen")) choose(again, false);
}
