// The start: the data of the page at once, or a module that waits for a drop.

function start() {
  document.body.classList.add("waiting");
  byId("game").replaceChildren("What does my Quake load?");
  byId("summary").textContent = "Drop a game folder here to see which files an engine loads from it, which copies they override, and which archives it skips and why.";
  document.title = "quakefs";
  for (const element of document.querySelectorAll("[data-live]")) element.hidden = false;
  listenForChoices();
  listenForCopies();
  listenForDrops();
  on("stop", "click", () => {
    withdraw(STOPPED);
    restart(STOPPED);
  });
  on("over", "click", () => {
    history.replaceState(null, "", "#");
    location.reload();
  });
  choice = { ...choice, ...wanted?.choice };
  on("save-all", "click", saveAll);
  startWorker();
  listEngines().catch(showError);
}

if (module) start();
else show();
