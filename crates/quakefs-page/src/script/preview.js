// The preview of a file: a picture, model, level, sound or text; and its thumbnail.

function sound(shown) {
  const channels = { 1: "mono", 2: "stereo" }[shown.channels] ?? `${shown.channels} channels`;
  const rate = `${number(shown.rate)} Hz${shown.bits ? `, ${shown.bits} bits` : ""}, ${channels}`;
  const rows = [["Length", seconds(shown.milliseconds / 1000) + (shown.loops ? ", loops" : "")], ["Format", `${shown.format}, ${rate}`]];
  if (!shown.source) return [facts(rows), note("The page has no room for its bytes, so it cannot be played here.")];
  return [make("audio", { controls: true, preload: "metadata", src: shown.source }), facts(rows)];
}

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

/** The preview of a copy: from the data, or from the module, which answers once for each copy. */
const previews = new Map();
function previewOf(copy) {
  if (!module) return data.previews[copy.preview];
  const key = `${copy.layer} ${copy.entry} ${copy.name}`;
  if (!previews.has(key)) previews.set(key, question("preview", copyKey(copy)));
  return previews.get(key);
}

function parts(shown, room, alt, other) {
  switch (shown?.type) {
    case "pictures": return pictures(shown, room, alt);
    case "model": return model(shown, room, alt);
    case "level": return level(shown, room, alt);
    case "sound": return sound(shown);
    case "text": return text(shown, other);
    case "error": return [note(`No preview: ${shown.why}`)];
    default: return [note(module ? "No preview for files of this type." : "No preview: it is a file of another type, or the page has no room for it.")];
  }
}

/** An element that fills once the preview is known. If `beside` is a copy with another text, the lines that differ are marked. */
function preview(copy, room, alt, beside) {
  const element = make("div");
  const fill = ([shown, other]) => element.replaceChildren(...parts(shown, room, alt, other));
  const fail = (error) => element.replaceChildren(note(`No preview: ${error.message}`));
  Promise.all([copy, beside].map((one) => one && previewOf(one))).then(fill).catch(fail);
  return element;
}

const pictureOf = (shown) => ({ pictures: shown, model: shown?.pictures, level: shown?.textures }[shown?.type]?.shown[0]?.source);
/** Whether a file has a thumbnail. With a module, whether it may have one: only its bytes tell. */
const hasPicture = (file) => file.archive == null && !file.needed
  && (module ? /\.(lmp|wad|bsp|md[l23]|wal|pcx|tga|png|jpe?g)$/i.test(file.last) : Boolean(pictureOf(data.previews[file.preview])));

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
