// All parts of the page, from one set of data.

function show() {
  resolve();
  showHead();
  showLayers();
  showConflicts();
  showFindings();
  showFilters();
  if (data.folders.length < 12 && everything.length < 200) openAll();
  isFollowing = true;
  const before = chosen && everything.find((file) => file.path === chosen.path);
  const again = wanted ? followed(wanted) : byId("details").classList.contains("chosen") ? before : null;
  if ((chosen && !before) || (wanted && !again)) closeFile();
  wanted = null;
  chosen = null;
  if (again) choose(again, false);
  refreshFiles();
  isFollowing = false;
  writeAddress(isStep);
  isStep = false;
}
