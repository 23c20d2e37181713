// The command line that gives the same answer, quoted for the shell of this computer.

const isWindows = SYSTEM === "windows";

/** A word quoted for a Unix shell or for PowerShell, in which `@` and `,` are special. cmd reads the same unless it contains `$`. */
function quoted(word) {
  if ((isWindows ? /^[\w./:+=-]+$/ : /^[\w./:@%+=,-]+$/).test(word)) return word;
  if (!isWindows) return `'${word.replaceAll("'", "'\\''")}'`;
  return /[$`"]/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

function commandLine(command, ...words) {
  const options = [];
  for (let at = 0; at < mounted.line.length; at += 2) {
    const [option, value] = [mounted.line[at], mounted.line[at + 1]];
    if (command === "compare" && option === "--engine") continue;
    // the command runs on this computer
    if (option === "--on" && value === SYSTEM) continue;
    // a separate value that starts with a dash would be taken for an option
    options.push(...(value.startsWith("-") ? [`${option}=${value}`] : [option, value]));
  }
  return ["quakefs", ...options, command, ...words].map(quoted).join(" ");
}
const whichLine = (path) => commandLine("which", "-a", ...(path.startsWith("-") ? ["--"] : []), path);

async function copyLine(text) {
  byId("line").textContent = text;
  try {
    await navigator.clipboard.writeText(text);
    showStatus(`Copied: ${text}`);
  } catch {
    // some browsers refuse the clipboard to a page from disk
    getSelection().selectAllChildren(byId("line"));
    byId("line").focus();
    showStatus("The command is selected: copy it from there.");
  }
}

function listenForCopies() {
  for (const one of document.querySelectorAll("[data-command]")) {
    one.addEventListener("click", () => {
      const { command } = one.dataset;
      const against = byId("against").value;
      if (command === "compare" && !against) showStatus("Choose the engine to compare with first.");
      else copyLine(commandLine(command, ...(command === "compare" ? [mounted.engine, against] : [])));
    });
  }
}
