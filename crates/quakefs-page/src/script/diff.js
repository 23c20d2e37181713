// The difference of two texts, line by line.

/** The most changed lines that are matched. Texts that differ more count as replaced. */
const MOST_CHANGES = 1500;
/** The most lines of a difference that are shown, and the equal lines around a change. */
const DIFF_LINES = 2000;
const AROUND = 3;

/** The steps from one list of lines to another: each a sign, and a line. */
function lineDiff(a, b) {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const equal = (lines) => lines.map((line) => [" ", line]);
  const changed = steps(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...equal(a.slice(0, start)), ...changed, ...equal(a.slice(a.length - end))];
}

/** The shortest steps, by Myers's algorithm: how far each diagonal reaches after one change, two changes and so on. */
function steps(a, b) {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace = [];
  for (let changes = 0; changes <= most; changes += 1) {
    trace.push(reach.slice(middle - changes - 1, middle + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      const isAdded = k === -changes || (k !== changes && reach[middle + k - 1] < reach[middle + k + 1]);
      let x = isAdded ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return retraced(a, b, trace);
    }
  }
  return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
}

function retraced(a, b, trace) {
  const found = [];
  let [x, y] = [a.length, b.length];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const reach = (k) => trace[changes][k + changes + 1];
    const k = x - y;
    const isAdded = k === -changes || (k !== changes && reach(k - 1) < reach(k + 1));
    const before = reach(isAdded ? k + 1 : k - 1);
    const least = isAdded ? before : before + 1;
    for (; x > least && y > 0; y -= 1) found.push([" ", a[x -= 1]]);
    if (changes && isAdded) found.push(["+", b[y -= 1]]);
    else if (changes) found.push(["-", a[x -= 1]]);
  }
  return found.reverse();
}

/** The changed lines with some equal lines around them. */
function diffElement(all) {
  const near = new Set();
  for (const [at, [sign]] of all.entries()) {
    if (sign !== " ") for (let other = at - AROUND; other <= at + AROUND; other += 1) near.add(other);
  }
  const [parts, counts] = [[], { "-": 0, "+": 0 }];
  let [shown, equal] = [0, 0];
  const gap = () => {
    if (equal) parts.push(make("span", { class: "gap" }, `${counted(equal, "equal line", "equal lines")}\n`));
    equal = 0;
  };
  for (const [at, [sign, line]] of all.entries()) {
    if (sign !== " ") counts[sign] += 1;
    if (!near.has(at) || shown === DIFF_LINES) {
      equal += sign === " " ? 1 : 0;
      continue;
    }
    gap();
    shown += 1;
    parts.push(sign === " " ? `  ${line}\n` : make(sign === "-" ? "del" : "ins", {}, `${sign} ${line}\n`));
  }
  gap();
  const pane = make("pre", { class: "diff", tabindex: "0" }, ...parts);
  const first = button("First change", () => {
    const change = pane.querySelector("del, ins");
    pane.scrollTop = change.offsetTop - pane.offsetTop - pane.clientHeight / 3;
    pane.focus();
  });
  const more = counts["-"] + counts["+"] > 0 && shown === DIFF_LINES ? note(`Only the first ${number(DIFF_LINES)} lines are shown.`) : null;
  return make("div", {}, make("p", {}, `${counted(counts["-"], "line", "lines")} only in the overridden copy, ${number(counts["+"])} only in the winner. `, first), pane, more);
}

/** The largest text that is compared as a whole. */
const WHOLE_TEXT = 2 << 20;

/** All text of a copy. */
const wholeText = async (copy) => (await contentOf(copy)).text();

/** How the texts of an overridden copy and of the winner differ. */
async function textDiff(winner, copy, shown) {
  const isLong = shown.some((one) => one.more);
  const isCut = isLong && (!module || Math.max(copy.size, winner.size) > WHOLE_TEXT);
  const texts = isLong && !isCut ? await Promise.all([copy, winner].map(wholeText)) : shown.map((one) => one.text);
  const all = lineDiff(...texts.map((text) => text.split(/\r?\n/)));
  const parts = all.some(([sign]) => sign !== " ") ? [diffElement(all)] : [];
  return [...parts, ...(isCut ? [note("Only the beginning of the texts is compared.")] : [])];
}
