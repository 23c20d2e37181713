// The preview of a file: a picture, model, level, sound or text; and its thumbnail.

/** Marks the lines of a text that the other text does not have. */
function marked(shown, other) {
  const known = new Set(other.split("\n"));
  const lines = shown.split("\n").map((line, index) => (index ? `\n${line}` : line));
  return lines.map((line) => (known.has(line.replace("\n", "")) ? line : make("mark", {}, line)));
}

function text(shown, other) {
  const lines = other?.type === "text" && shown.text ? marked(shown.text, other.text) : [shown.text || "(empty)"];
  const parts = [make("pre", { tabindex: "0" }, ...lines)];
  if (shown.more) parts.push(note(`and ${bytes(shown.more)} more`));
  return parts;
}

/** The preview of a copy or of a file alone: from the data, or made once. */
const previews = new Map();
function previewOf(copy) {
  if (!module) return data.previews[copy.preview];
  const key = copy.file ?? `${copy.layer} ${copy.entry} ${copy.name}`;
  if (!previews.has(key)) previews.set(key, madePreview(copy));
  return previews.get(key);
}

/** The largest file of which a preview is made, in bytes. */
const LARGEST_FILE = 64 << 20;

/** By the module. A type that it does not read is named by the first bytes. */
async function madePreview(copy) {
  const size = copy.file?.size ?? copy.size;
  if (size > LARGEST_FILE) return { type: "error", why: `it has more than ${bytes(LARGEST_FILE)}` };
  const shown = await frameOf(copy);
  return shown ?? { type: "other", what: await whatItIs(copy.name, await contentOf(copy)) };
}

/** The module's preview of a copy or of a file alone. A view has the `frame` of a model, or `whole` for pictures in their own size. */
async function frameOf(copy, view = {}) {
  if (!copy.file) return question("preview", { ...copyKey(copy), ...view });
  const { answer } = await ask({ apart: { kind: "alone", name: copy.name, file: copy.file, ...view } });
  if (answer?.error) throw errorOf(answer);
  return answer;
}

/** The bytes of a copy or of a file alone. */
async function contentOf(copy) {
  if (copy.file) return copy.file;
  const { answer, blob } = await ask({ source: copyKey(copy) });
  if (!blob) throw errorOf(answer);
  return blob;
}

/** A slider over the frames, which can run by itself. `show` shows a frame. */
function frames(count, words, show) {
  const slider = make("input", { type: "range", min: "0", max: String(count - 1), value: "0", "aria-label": `Frame of ${words}` });
  const told = make("span", { class: "note" }, `frame 1 of ${number(count)}`);
  let runs = 0;
  const step = async () => {
    told.textContent = `frame ${number(Number(slider.value) + 1)} of ${number(count)}`;
    await show(Number(slider.value));
  };
  const run = async (mine) => {
    while (mine === runs && slider.isConnected) {
      slider.value = (Number(slider.value) + 1) % count;
      await step();
      await new Promise((done) => { setTimeout(done, 100); });
    }
  };
  const play = button("Play", () => {
    const isRunning = play.textContent === "Stop";
    play.textContent = isRunning ? "Play" : "Stop";
    runs += 1;
    if (!isRunning) run(runs).catch(showError);
  });
  slider.addEventListener("input", () => step().catch(showError));
  return make("p", { class: "frames" }, play, slider, told);
}

function parts(shown, room, alt, other, copy, together) {
  switch (shown?.type) {
    case "pictures": return /\.spr(32)?$/i.test(copy.name) ? sprite(shown, room, alt, copy) : pictures(shown, room, alt, copy);
    case "model": return model(shown, room, alt, copy, together);
    case "level": return level(shown, room, alt, copy);
    case "sound": return sound(shown);
    case "text": return text(shown, other);
    case "facts": return [facts(shown.rows.map(([about, value]) => [about, factOf(value)]))];
    case "other": return [note(shown.what)];
    case "error": return [note(`No preview: ${shown.why}`)];
    default: return [note(module ? "No preview for files of this type." : "No preview: it is a file of another type, or the page has no room for it.")];
  }
}

/**
 * An element that fills once the preview is known. If `beside` is a copy with another text, the lines that differ are marked. Models that
 * share `together` turn together.
 */
function preview(copy, room, alt, beside, together) {
  const element = make("div");
  const fill = ([shown, other]) => element.replaceChildren(...parts(shown, room, alt, other, copy, together));
  const fail = (error) => element.replaceChildren(note(`No preview: ${error.message}`));
  Promise.all([copy, beside].map((one) => one && previewOf(one))).then(fill).catch(fail);
  return element;
}

const pictureOf = (shown) => ({ pictures: shown, model: shown?.pictures, level: shown?.textures }[shown?.type]?.shown[0]?.source);
/** Whether a file has a thumbnail. With a module, whether it may have one: only its bytes tell. */
const hasPicture = (file) => file.archive == null && !file.needed
  && (module ? /\.(lmp|wad|bsp|md[l23]|spr|wal|m8|m32|pcx|tga|png|jpe?g)$/i.test(file.last) : Boolean(pictureOf(data.previews[file.preview])));

/** The thumbnail of a file. A module makes it when it scrolls into view. */
function thumbnail(file) {
  const image = make("img", { alt: "", loading: "lazy" });
  if (!module) image.src = pictureOf(data.previews[file.preview]);
  else {
    image.fileToShow = file;
    inView.observe(image);
  }
  return image;
}
const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView.unobserve(target);
    previewOf(target.fileToShow).then((shown) => {
      const source = pictureOf(shown);
      if (source) target.src = source;
    }).catch(() => {});
  }
});
