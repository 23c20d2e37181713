// Elements, formatted numbers and lists in steps: what the other modules build the page from.
"use strict";
// Names and texts come from strangers: they become text nodes, never markup.
const byId = (id) => document.getElementById(id);
const on = (id, event, act) => byId(id).addEventListener(event, act);
/** The page as it was written, before the script changes it. */
const written = document.documentElement.cloneNode(true);
/** The data of the page: written into it, or made by the module from the dropped files. */
let data = JSON.parse(byId("data").textContent);
/** Whether the page has a module. */
const module = byId("worker").textContent !== "";

/** The systems that an engine runs on, and the system of this computer. */
const SYSTEMS = { linux: "Linux", macos: "macOS", windows: "Windows" };
const SYSTEM = ((platform) => (/^win/i.test(platform) ? "windows" : /^(mac|iphone|ipad)/i.test(platform) ? "macos" : "linux"))(navigator.userAgentData?.platform || navigator.platform);
/** The engines, with a module. */
let engines = [];

/** An element with attributes and children. Strings become text nodes. */
const make = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const drawn = (tag, attributes, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const name = (text) => make("span", { class: "name" }, text);
const tag = (text, kind = "") => make("span", { class: `tag ${kind}` }, text);
const note = (text) => make("p", { class: "note" }, text);
const advice = (help) => make("span", { class: "note" }, help ? `→ ${help}` : "");

function button(words, act, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, words);
  element.addEventListener("click", act);
  return element;
}
const link = (words, act) => button(words, act, { class: "link" });

function facts(rows) {
  const list = make("dl");
  for (const [title, value] of rows) {
    if (value != null) list.append(make("dt", {}, title), make("dd", {}, value));
  }
  return list;
}

function table(titles, rows) {
  const head = make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title))));
  const body = make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))));
  return make("div", { class: "wide" }, make("table", { class: "rows" }, head, body));
}

const number = (value) => value.toLocaleString("en").replaceAll(",", "\u202f");
const counted = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

function bytes(size) {
  if (size < 1024) return counted(size, "byte", "bytes");
  const power = Math.min(4, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${" KMGT"[power]}iB`;
}

function seconds(length) {
  if (length < 60) return `${length.toFixed(length < 10 ? 2 : 1)} s`;
  const whole = Math.round(length);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** Fills a list in steps: a hundred thousand rows cost nothing until somebody asks for them. */
function pager(list, button, step, row) {
  let items = [];
  let shown = 0;
  const more = () => {
    const next = items.slice(shown, shown + step);
    list.append(...next.map((item, index) => row(item, shown + index)));
    shown += next.length;
    button.hidden = shown >= items.length;
    button.textContent = `Show more (${number(items.length - shown)} left)`;
  };
  button.addEventListener("click", () => {
    const first = shown;
    more();
    list.children[first]?.querySelector("summary, a, button")?.focus();
  });
  /** Shows other items, at least `count` of them. */
  const show = (all, count = 0) => {
    items = all;
    shown = 0;
    list.replaceChildren();
    do more();
    while (shown < Math.min(count, items.length));
  };
  return {
    show: (all) => show(all),
    /** Shows other items, as many as before. */
    replace: (all) => show(all, shown),
    /** Adds rows until row `index` exists, and returns it. */
    reach(index) {
      while (shown <= index && shown < items.length) more();
      return list.children[index];
    },
  };
}
