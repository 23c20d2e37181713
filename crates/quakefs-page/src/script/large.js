// A picture, a model or a level as large as the window.

const large = make("dialog", { id: "large", "aria-labelledby": "large-title" });
document.body.append(large);
// the event comes later, perhaps when it is open again
large.addEventListener("close", () => { if (!large.open) large.replaceChildren(); });

/** Fills the window with elements, under a title. */
function enlarge(title, ...parts) {
  const close = button("Close", () => large.close());
  large.replaceChildren(make("div", { class: "head" }, make("h2", { id: "large-title" }, name(title)), close), ...parts);
  if (!large.open) large.showModal();
}

/** A picture in its whole size, as far as the page can make it, and the levels that have it as a texture. */
async function enlargePicture(shown, index, words, copy) {
  const image = make("img", { class: "picture", alt: words, src: shown.source });
  const found = make("p", {});
  // a level is shown behind the dialog
  found.addEventListener("click", () => large.close());
  const texture = shown.name || copy.name;
  const isOfLevels = shown.name || /^textures\//i.test(texture);
  const tools = module && copy.layer != null && isOfLevels ? [make("p", {}, button("Levels with this texture", async () => {
    const levels = await question("users", { texture }).catch(showError);
    if (levels?.length) found.replaceChildren(linksTo(levels.map((level) => byPath.get(level))));
    else if (levels) found.replaceChildren("No level names it.");
  }))] : [];
  enlarge(words, make("p", { class: "note" }, caption(shown)), image, ...tools, found);
  if (!module) return;
  const whole = await frameOf(copy, { whole: true }).catch(() => null);
  const better = { pictures: whole, model: whole?.pictures, level: whole?.textures }[whole?.type]?.shown[index];
  if (better) image.src = better.source;
}

/** Lets a view from above be zoomed by the wheel, the buttons and the plus and minus keys, and moved by a drag and the arrow keys. */
function zoomable(view) {
  const whole = view.getAttribute("viewBox").split(" ").map(Number);
  let [x, y, width, height] = whole;
  const zoom = (factor, across = 0.5, down = 0.5) => {
    const [old, share] = [width, Math.min(1, Math.max(1 / 64, (width * factor) / whole[2]))];
    [width, height] = [whole[2] * share, whole[3] * share];
    x += (old - width) * across;
    y += ((old - width) * down * whole[3]) / whole[2];
    if (share === 1) [x, y] = whole;
    show();
  };
  const show = () => view.setAttribute("viewBox", [x, y, width, height].join(" "));
  const move = (right, down) => {
    const step = Math.max(width / view.clientWidth, height / view.clientHeight);
    [x, y] = [x - right * step, y - down * step];
    show();
  };
  view.setAttribute("tabindex", "0");
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.offsetX / view.clientWidth, event.offsetY / view.clientHeight);
  }, { passive: false });
  moveByKeys(view, (right, down) => move(-4 * right, 4 * down), () => zoom(Infinity));
  moveByDrag(view, move);
  view.addEventListener("keydown", ({ key }) => { if (key === "+" || key === "-") zoom(key === "+" ? 1 / 1.5 : 1.5); });
  return make("p", { class: "actions" }, button("Zoom in", () => zoom(1 / 1.5)), button("Zoom out", () => zoom(1.5)));
}
