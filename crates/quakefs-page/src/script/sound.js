// A sound: its wave, its length and its format; and two copies to hear by turns.

/** The columns of a wave. */
const COLUMNS = 400;

function sound(shown) {
  const channels = { 1: "mono", 2: "stereo" }[shown.channels] ?? `${number(shown.channels)} channels`;
  const rate = `${number(shown.rate)} Hz${shown.bits ? `, ${shown.bits} bits` : ""}, ${channels}`;
  const rows = [["Length", seconds(shown.milliseconds / 1000) + (shown.loops ? ", loops" : "")], ["Format", `${shown.format}, ${rate}`]];
  if (!shown.source) return [facts(rows), note("The page has no room for its bytes, so it cannot be played here.")];
  return [waveOf(shown), make("audio", { controls: true, preload: "metadata", src: shown.source }), facts(rows)];
}

/** The wave of the first channel. It stays empty if the browser cannot decode the sound. */
function waveOf({ source }) {
  const path = drawn("path");
  const view = drawn("svg", { class: "wave", viewBox: `0 -1 ${COLUMNS} 2`, preserveAspectRatio: "none", role: "img", "aria-label": "Its wave" }, path);
  const bytes = Uint8Array.from(atob(source.slice(source.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
  new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes.buffer).then((decoded) => {
    const samples = decoded.getChannelData(0);
    const lines = Array.from({ length: COLUMNS }, (_, column) => {
      const [from, to] = [column, column + 1].map((at) => Math.floor((at * samples.length) / COLUMNS));
      let [least, most] = [0, 0];
      for (let at = from; at < to; at += 1) [least, most] = [Math.min(least, samples[at]), Math.max(most, samples[at])];
      return `M${column} ${-most}V${0.005 - least}`;
    });
    path.setAttribute("d", lines.join(""));
  }).catch(() => view.remove());
  return view;
}

/** Two copies of a sound: one is heard, and a button changes to the other at the same moment. */
function soundDiff([old, fresh]) {
  if (!old.source || !fresh.source || old.source === fresh.source) return [];
  const players = [old, fresh].map(({ source }) => make("audio", { preload: "auto", src: source }));
  let heard = 1;
  const choices = ["Overridden copy", "Winner"].map((words, index) => button(words, () => {
    const { currentTime, paused } = players[heard];
    players[heard].pause();
    heard = index;
    players[heard].currentTime = Math.min(currentTime, players[heard].duration || 0);
    if (!paused) players[heard].play();
    show();
  }));
  const play = button("Play", () => {
    if (players[heard].paused) players[heard].play();
    else players[heard].pause();
  });
  const show = () => choices.forEach((choice, index) => choice.setAttribute("aria-pressed", String(index === heard)));
  for (const player of players) {
    for (const event of ["play", "pause", "ended"]) player.addEventListener(event, () => { play.textContent = players[heard].paused ? "Play" : "Stop"; });
  }
  show();
  return [waveOf(old), waveOf(fresh), make("p", { class: "actions" }, play, ...choices)];
}
