"use strict";
/* Which view is shown, the links above it, and keys. */

const VIEWS = data.kind === "build" ? [
  ["files", "Files", filesView], ["regions", "Regions", () => regionsView()], ["causes", "Causes", causesView],
  ...(data.charts.length ? [["charts", "Benchmarks", chartsView]] : []),
] : machineViews();

function header() {
  const top = document.getElementById("top");
  top.append(el("h1", {}, data.title), data.subtitle ? el("p", { class: "soft" }, data.subtitle) : "", numbers(),
    VIEWS.length > 1 ? el("nav", { "aria-label": "Views" }, VIEWS.map(([name, words]) => el("a", { href: `#${name}`, id: `to-${name}` }, words))) : "");
}

function numbers() {
  const told = data.kind === "build" ? buildNumbers() : data.numbers;
  return el("ul", { class: "numbers" }, told.map(([value, name]) => el("li", {}, el("b", {}, String(value)), name)));
}

function buildNumbers() {
  const every = everyRegion();
  const regions = every.filter((row) => row.region.state !== "warning");
  const races = every.reduce((sum, row) => sum + row.region.races.length, 0);
  const stays = data.files.filter((file) => file.state === "fell back" || file.state === "failed").length;
  return [[data.files.length, "files"], [`${regions.filter((row) => row.region.changed).length} / ${regions.length}`, "regions changed"],
    [short(data.files.reduce((sum, file) => sum + (file.remembered ? 0 : file.seconds), 0)), "s in s2s"],
    ...(races ? [[races, "data races"]] : []), ...(stays ? [[stays, "kept as they were"]] : [])];
}

function show() {
  const words = decodeURIComponent(location.hash.slice(1)).split("-");
  const main = document.getElementById("main");
  const view = VIEWS.find(([name]) => name === words[0]) || VIEWS[0];
  let current = view[0];
  if (words[0] === "file" && data.files?.[Number(words[1])]) {
    main.replaceChildren(...fileView(Number(words[1]), words[2]));
    current = "files";
  } else if (words[0] === "cause" && data.texts?.[Number(words[1])] !== undefined) {
    main.replaceChildren(...regionsView(Number(words[1])));
    current = "causes";
  } else main.replaceChildren(...view[2]());
  if (words.length < 3) window.scrollTo(0, 0);
  document.querySelectorAll("nav a").forEach((link) =>
    link.id === `to-${current}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"));
}

const KEYS = [["/", "to the filter"], ["j, k", "next and previous region or row"], ["Enter", "open the row"],
  ["[, ]", "previous and next file"], ["u", "up to the files"], ["o", "fold and unfold all"], ["?", "this list"]];

const help = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"),
  el("table", { "aria-label": "Keys" }, el("tbody", {}, KEYS.map(([key, words]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, words))))),
  el("form", { method: "dialog" }, el("button", {}, "Close")));

function step(by) {
  const items = [...document.querySelectorAll("main article, main > div > div tbody tr")];
  if (!items.length) return;
  const at = items.findIndex((item) => item.classList.contains("at"));
  items.forEach((item) => item.classList.remove("at"));
  const item = items[Math.min(items.length - 1, Math.max(0, at + by))];
  item.classList.add("at");
  item.scrollIntoView({ block: item.tagName === "TR" ? "nearest" : "start" });
  (item.querySelector("a") || item).focus({ preventScroll: true });
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const [name, number] = location.hash.slice(1).split("-");
  const files = data.files ? data.files.length : 0;
  const actions = {
    "/": () => document.querySelector("input[type=search]")?.focus(),
    j: () => step(1), k: () => step(-1),
    u: () => { location.hash = VIEWS[0][0]; },
    o: () => { const button = [...document.querySelectorAll("main button")].find((b) => /old all$/.test(b.textContent)); if (button) button.click(); },
    "[": () => { if (name === "file" && Number(number) > 0) location.hash = `file-${Number(number) - 1}`; },
    "]": () => { if (name === "file" && Number(number) < files - 1) location.hash = `file-${Number(number) + 1}`; },
    "?": () => help.showModal(),
  };
  if (actions[event.key] && !help.open) { event.preventDefault(); actions[event.key](); }
}

header();
document.body.append(help);
document.getElementById("top").append(el("p", { class: "soft" }, "Press ", el("kbd", {}, "?"), " for keys."));
addEventListener("hashchange", show);
addEventListener("keydown", press);
show();
document.documentElement.dataset.ready = "yes";
