// Messages to the worker, in which the module runs: one at a time, so that a fault ends only one answer.

/** Messages without an answer. The first is with the worker. */
const messages = [];
let worker = null;
/** The messages that bring a new worker to the files and the mount that are shown. */
let restoring = [];

/** The module follows the script, so that the page is shown before all of it arrived. */
const moduleText = new Promise((resolve) => {
  // a hosted copy has the module in a file beside it
  const read = () => {
    const source = byId("module")?.dataset.source;
    resolve(source ? fetch(source).then((response) => response.text()) : byId("module")?.textContent);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", read);
  else read();
});

function startWorker() {
  const script = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
  const started = new Worker(script);
  worker = started;
  // a worker may still send a message after it was terminated
  const ifCurrent = (act) => (event) => { if (started === worker) act(event); };
  worker.addEventListener("message", ifCurrent(({ data }) => received(data)));
  worker.addEventListener("error", ifCurrent((event) => restart(`The worker of the page ended: ${event.message}.`, true)));
  moduleText.then((text) => started.postMessage({ module: text }));
  send();
}

/** Shows how far the worker is: a sentence, or the bytes that it has read. */
function showProgress(progress) {
  if (typeof progress === "string") showStatus(progress);
  else if (messages[0]?.message.question?.page && !earlierError) showStatus(readingSentence(progress));
}

function received({ progress, fault, ...answer }) {
  if (fault != null) restart(`${fault} The other answers are not affected.`, true);
  else if (progress) showProgress(progress);
  else {
    const { resolve } = messages.shift();
    send();
    resolve(answer);
  }
}

/** Ends the worker and its current answer, and starts another worker. */
function restart(reason, isFault) {
  worker.terminate();
  const ended = messages.shift();
  // the same mount would fail again
  if (isFault && ended?.restores) restoring = [];
  const tell = ({ answer }) => { if (answer?.error) showError(errorOf(answer)); };
  const others = messages.filter((one) => !one.restores).map((one) => ({ ...one, sent: false }));
  const again = restoring.map((message) => ({ message, restores: true, resolve: tell, reject: () => {} }));
  messages.splice(0, messages.length, ...again, ...others);
  startWorker();
  showStatus(reason, isFault);
  ended?.reject(new Error(reason));
}

let slow = 0;
/** Sends the first message, unless the worker has it. */
function send() {
  const isBusy = messages.length > 0;
  byId("open").setAttribute("aria-busy", isBusy);
  // a button to stop appears only for a long answer, and not while the module of a new page arrives
  clearTimeout(slow);
  byId("stop").hidden = true;
  if (messages.some(({ message }) => !message.question?.engines)) slow = setTimeout(() => { byId("stop").hidden = false; }, 1000);
  if (!isBusy || messages[0].sent) return;
  messages[0].sent = true;
  worker.postMessage(messages[0].message);
}

function ask(message) {
  return new Promise((resolve, reject) => {
    messages.push({ message, resolve, reject });
    send();
  });
}

/** The answer of the worker, or an answer with the error. */
const askSafely = (message) => ask(message).catch((error) => ({ answer: { error: error.message } }));

/** The answer of the module to a question. */
async function question(kind, values = {}) {
  const { answer } = await ask({ question: { [kind]: values } });
  if (answer?.error) throw errorOf(answer);
  return answer;
}

const isReading = ({ message }) => Boolean(message.question?.page ?? message.question?.changes);

/** Withdraws the questions that read everything, unless the worker has it. */
function withdraw(reason) {
  const isWaiting = (one) => isReading(one) && !one.sent;
  const gone = messages.filter(isWaiting);
  messages.splice(0, messages.length, ...messages.filter((one) => !isWaiting(one)));
  for (const { reject } of gone) reject(new Error(reason));
}

/** `nothing` tells that a drop has nothing for a game. */
const errorOf = ({ error, help, nothing }) => Object.assign(new Error([error, help].filter(Boolean).join(" → ")), { nothing });
function showStatus(sentence, isError = false) {
  byId("status").textContent = sentence;
  byId("status").classList.toggle("error", isError);
}
/** What "Stop" says: no error. */
const STOPPED = "Stopped.";
/** What is told about a drop that goes into no game: no error either. */
const OPENED_ALONE = "Nothing of this drop goes into the game. It is opened alone.";
const showError = (error) => showStatus(error.message, ![STOPPED, OPENED_ALONE].includes(error.message));
