// Dropped files become a mounted game: one drop or choice after another, each undone if it fails.

/**
 * An empty engine leaves the choice to the module at each mount. `places` has the folders that the person chose for downloads. `fresh` has what
 * was dropped or placed elsewhere since the last mount: its games are selected.
 */
let choice = { engine: "", on: SYSTEM, games: [], missions: [], places: {}, fresh: [] };
let mounted = null;

/** Counts drops and choices, so that answers about an earlier game are ignored. */
let turn = 0;
let lastTurn = Promise.resolve();
let waitingTurns = 0;
/** The error that stays shown while the game is read. */
let earlierError = null;
/** An error that later turns would overwrite; shown after the last of them. */
let deferredError = null;
/** The error of the last drop. It stays shown if the next drop is only opened alone. */
let dropError = null;

/** Queues an act that changes the game. */
function inTurn(act) {
  stopReading();
  waitingTurns += 1;
  lastTurn = lastTurn.then(() => {
    stopReading();
    waitingTurns -= 1;
    return act();
  }).catch(showError);
}

/** Ends the reading of the game that is shown. */
function stopReading() {
  turn += 1;
  withdraw("");
  if (messages.some(isReading)) restart("Reading…");
}

/** Adds files: a promise of paths and files. */
function addFiles(found) {
  // it may fail before its turn
  found.catch(() => {});
  inTurn(async () => {
    const more = await found.catch((error) => error);
    if (more instanceof Error) resume(new Error(`A file cannot be read: ${more.message}`));
    else if (!more.length) resume(new Error("The drop contained no file."));
    else await addOrUndo(more);
  });
}

/** Continues with the present game after a drop without files. */
function resume(error) {
  if (mounted && unread !== COMPLETE) readAll(performance.now(), error);
  else showError(error);
}

async function addOrUndo(more) {
  const errorBefore = dropError;
  dropError = null;
  const before = [drops, choice];
  addDrop(more);
  let failed = await sendFiles();
  if (failed && wanted) {
    forgetAddress();
    failed = await sendFiles();
  }
  if (!failed) {
    keepHandles();
    const without = mounted.placed.filter((row) => row.fresh && row.own && !row.to.length);
    for (const row of without) await openAlone(more.filter(([path]) => row.files.includes(path.split("/")[0])), placeSentence(row));
    // what is open covers the answer on a phone
    closeSheet();
    if (more.length === 1) chooseDropped(more[0][0]);
    return;
  }
  latest = null;
  [drops, choice] = before;
  if (failed.nothing) {
    await openAlone(more, `${failed.message}.`);
    const told = errorBefore ?? new Error(OPENED_ALONE);
    if (drops.length) await sendFiles(told);
    else showError(told);
    if (!waitingTurns) deferredError = null;
    return;
  }
  const sentence = failed.message.replace(/\.$/, "");
  dropError = drops.length ? new Error(`${sentence}. No file of this drop was added.`) : failed;
  const again = drops.length ? await sendFiles(dropError) : failed;
  if (!again) return;
  deferredError = waitingTurns ? again : null;
  showError(again);
}

/** Changes a choice, or returns to the one before if the new one cannot be mounted. */
function changeChoice(values) {
  inTurn(async () => {
    const before = choice;
    choice = { ...choice, ...values };
    isStep = true;
    const failed = await mount(restoring[0]);
    if (!failed) return;
    choice = before;
    showChoices();
    const again = await mount(restoring[0], new Error(`The choice was undone: ${failed.message}`));
    if (again) showError(again);
  });
}

/** Gives the worker all files and mounts them; returns the error, if any. `earlier` is an error to show afterwards. */
async function sendFiles(earlier) {
  const message = { files: filesOfDrops() };
  const { answer } = await askSafely(message);
  if (answer.error) return errorOf(answer);
  byId("over").hidden = false;
  return mount(message, earlier);
}

/** The choice as fields of a question. */
const asked = () => ({ ...choice, places: Object.entries(choice.places) });

/** Leaves the choice to the module again. */
function forgetAddress() {
  wanted = null;
  choice = { ...choice, engine: "", games: [], missions: [] };
}

/** Whether the engine of the address loads the same game as the suggested one. */
async function isAddressOfGame() {
  const { answer } = await askSafely({ question: { mount: { ...asked(), engine: "", games: [], missions: [] } } });
  const suggested = engines.find((one) => one.name === answer.engine);
  return Boolean(suggested) && [answer.engine, ...suggested.comparable].includes(choice.engine);
}

/** Mounts the files of a message and shows what needs no reading; returns the error, if any. */
async function mount(files, earlier) {
  const started = performance.now();
  showStatus("Reading…");
  byId("figures").textContent = "";
  try {
    if (!engines.length) await listEngines();
    if (wanted?.choice.engine && !mounted && !(await isAddressOfGame())) forgetAddress();
    const message = { question: { mount: asked() } };
    const { answer, read, memory } = await ask(message);
    if (answer.error) return errorOf(answer);
    restoring = [files, message];
    // a mod of this drop is chosen instead of these
    const unticked = choice.fresh.length ? choice.games.filter((game) => !answer.games.includes(game) && answer.known.includes(game)) : [];
    mounted = { ...answer, unticked, figures: { mounted: performance.now() - started, read, memory } };
  } catch (error) {
    return error;
  }
  choice = { ...choice, games: mounted.games, missions: mounted.missions, fresh: [] };
  previews.clear();
  document.body.classList.remove("waiting");
  showChoices();
  showData(mounted.page, "Overridden copies are not compared yet, and levels are not checked yet for files that they need.");
  const error = earlier ?? deferredError;
  deferredError = waitingTurns ? error : null;
  // the next turn would end the reading
  if (!waitingTurns) readAll(started, error);
  return null;
}

function showData(page, notRead) {
  data = page;
  unread = notRead;
  show();
}

/** Shows what needs reading: which copies have the same bytes, and which files levels need. */
async function readAll(started, earlier) {
  const mine = turn;
  if (earlier) showError(earlier);
  else showStatus("Comparing overridden copies and checking levels…");
  earlierError = earlier;
  try {
    const page = await question("page");
    if (mine !== turn) return;
    showData(page, COMPLETE);
  } catch (error) {
    if (mine !== turn) return;
    showData(data, "Reading was stopped: overridden copies are not compared, and levels are not checked for files that they need.");
    showError(earlier ?? error);
    return;
  }
  if (earlier) showError(earlier);
  else showStatus("");
  byId("figures").textContent = figuresSentence(started);
  openChanges();
}

/** How much of the overridden copies, of their winners and of the levels is read. Compressed files are smaller. */
function readingSentence(read) {
  const copies = data.layers.reduce((sum, layer) => sum + layer.overridden[1] + layer.overrides[1], 0);
  const levels = files.reduce((sum, file) => sum + (/^maps\/.*\.bsp$/i.test(file.path) ? file.size : 0), 0);
  return `Comparing overridden copies and checking levels: ${bytes(read)} of about ${bytes(Math.max(read, copies + levels))} read…`;
}

function figuresSentence(started) {
  const { figures } = mounted;
  const all = filesOfDrops().reduce((sum, [, file]) => sum + file.size, 0);
  const read = figures.read < all ? `${bytes(figures.read)} of ${bytes(all)}` : bytes(figures.read);
  return `Mounted in ${Math.ceil(figures.mounted)} ms after reading ${read}; compared and checked in ${seconds((performance.now() - started) / 1000)}.`;
}
