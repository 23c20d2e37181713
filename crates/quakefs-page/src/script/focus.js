// The focus: when the element that has it is replaced or hidden, it goes to the one in its place, and not to the body.

/** The element that had the focus last, with the elements around it that have an id. */
let focused = null;

const isThere = (element) => element.isConnected && element.checkVisibility();
const words = (element) => `${element.tagName} ${element.ariaLabel ?? (element.value || element.textContent)}`;

document.addEventListener("focusin", ({ target }) => {
  const around = [];
  for (let one = target.parentElement; one; one = one.parentElement) if (one.id) around.push(one);
  focused = { element: target, words: words(target), around };
});
document.addEventListener("pointerdown", () => { focused = null; });

function keepFocus() {
  if (!focused || document.activeElement !== document.body || isThere(focused.element)) return;
  const place = focused.around.find(isThere) ?? document.querySelector("main");
  const all = [...place.querySelectorAll("a, button, input, select, summary, [tabindex]")].filter(isThere);
  const again = all.find((one) => words(one) === focused.words);
  if (!again) place.tabIndex = -1;
  (again ?? place).focus({ preventScroll: true });
}
new MutationObserver(keepFocus).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden", "class", "disabled"] });
