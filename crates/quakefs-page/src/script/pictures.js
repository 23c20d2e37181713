// The pictures of a file, with a caption each.

/** Enlarges a small picture by a whole factor, so that its pixels stay square. */
function picture(shown, room, alt) {
  const image = make("img", { class: "picture", alt, loading: "lazy", decoding: "async" });
  image.addEventListener("load", () => {
    const longer = Math.max(image.naturalWidth, image.naturalHeight);
    const scale = Math.max(1, Math.floor(room / longer));
    image.width = image.naturalWidth * scale;
  });
  // only the browser decodes PNG and JPEG
  image.addEventListener("error", () => {
    const unread = note("No preview: the browser cannot read this picture.");
    // without a picture there is nothing to enlarge
    (image.closest("button") ?? image).replaceWith(unread);
  });
  image.src = shown.source;
  return image;
}

function caption({ name, width, height, grey }) {
  const size = width ? `${width} × ${height}` : null;
  return [name, size, grey ? "grey: the game has no palette" : null].filter(Boolean).join(", ");
}

function pictures({ shown, all, damaged }, room, alt, copy) {
  const list = shown.map((item, index) => {
    const words = item.name || alt;
    const image = picture(item, shown.length > 1 ? room / 2 : room, words);
    const whole = button(image, () => enlargePicture(item, index, words, copy), { class: "whole", "aria-label": `Enlarge ${words}` });
    return make("figure", {}, whole, make("figcaption", {}, caption(item)));
  });
  const more = all - shown.length - damaged;
  return [
    make("div", { class: "pictures" }, ...list),
    more > 0 ? note(`and ${counted(more, "more picture", "more pictures")}`) : null,
    damaged ? note(`${counted(damaged, "picture", "pictures")} cannot be read`) : null,
  ].filter(Boolean);
}

/** The frames of a sprite, one at a time. */
function sprite(shown, room, alt, copy) {
  if (shown.shown.length < 2) return pictures(shown, room, alt, copy);
  const image = picture(shown.shown[0], room, alt);
  const show = (frame) => { image.src = shown.shown[frame].source; };
  return [make("figure", {}, image, make("figcaption", {}, caption(shown.shown[0]))), frames(shown.shown.length, alt, show)];
}

const hasAny = ({ all, damaged }) => all > 0 || damaged > 0;

/** Decodes base64 into 16-bit numbers. */
const numbers = (text) => new Uint16Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
