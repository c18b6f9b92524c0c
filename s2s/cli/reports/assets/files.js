"use strict";
/* The views of a build: its files, regions, causes, and one file with its source beside the result. */

const STATE_CLASSES = { warning: "failed", changed: "changed", unchanged: "unchanged", "fell back": "fell", failed: "failed", "left alone": "left" };

function stateCell(state) {
  return el("span", { class: `state ${STATE_CLASSES[state] || ""}` }, state);
}

function gainCell(value, most) {
  if (!value) return "";
  const width = Math.max(1, Math.round((60 * value) / most));
  return el("span", {}, el("span", { class: "bar", style: `width:${width}px` }), short(value) + (data.timed ? " s" : ""));
}

const GAIN = () => data.timed ? "Time unchanged" : "Would gain";

function filesView() {
  const most = Math.max(1e-9, ...data.files.map((file) => file.gain));
  const rows = data.files.map((file, number) => ({ file, number }));
  const changed = (row) => row.file.regions.filter((region) => region.changed).length;
  const first = (row) => {
    const waiting = row.file.regions.filter((region) => region.cause).sort((a, b) => b.gain - a.gain)[0];
    return row.file.reason || (waiting ? text(waiting.cause[2]) : "");
  };
  const table = new DataTable("Files", [
    { name: "File", value: (row) => row.file.name, cell: (row) => el("a", { href: `#file-${row.number}` }, row.file.name) },
    { name: "State", value: (row) => row.file.state, cell: (row) => stateCell(row.file.state) },
    { name: "Changed", number: true, value: (row) => changed(row), cell: (row) => `${changed(row)} / ${row.file.regions.filter((region) => region.state !== "warning").length}` },
    { name: GAIN(), number: true, value: (row) => row.file.gain, cell: (row) => gainCell(row.file.gain, most) },
    { name: "First in the way", value: first },
    { name: "s2s, s", number: true, optional: true, value: (row) => row.file.seconds, cell: (row) =>
        row.file.remembered ? el("span", { title: `remembered; ${row.file.seconds} s when it was new` }, "0 (remembered)") : short(row.file.seconds) },
  ], rows, 3);
  const states = [...new Set(data.files.map((file) => file.state))];
  return [filteredTable(table, "files", states.length > 1 ? states : [], (row) => row.file.state), gainNote()];
}

function gainNote() {
  return el("p", { class: "soft" }, data.timed
    ? "Time unchanged: measured seconds of loops in regions that stayed as they were."
    : "Would gain: an estimate without measurements; each nest that stayed counts 4 for every loop beyond its first, multiplied. A profile replaces it by seconds.");
}

function everyRegion() {
  return data.files.flatMap((file, number) => file.regions.map((region, place) => ({ file, number, region, place })));
}

function regionsView(group) {
  const rows = everyRegion().filter((row) => group === undefined || row.region.group === group);
  const most = Math.max(1e-9, ...rows.map((row) => row.region.gain));
  const states = ["changed", "unchanged", "fell back", "nothing to gain", "warning"].filter((state) => rows.some((row) => row.region.state === state));
  const table = new DataTable("Regions", [
    { name: "File", value: (row) => `${row.file.name}:${row.region.lines[0]}`, cell: (row) =>
        el("a", { href: `#file-${row.number}-${row.place}` }, `${row.file.name}:${row.region.lines[0]}`) },
    { name: "Function", optional: true, value: (row) => row.region.function },
    { name: "State", value: (row) => row.region.state, cell: (row) => stateCell(row.region.state) },
    { name: "Depth", number: true, optional: true, value: (row) => row.region.depth },
    { name: GAIN(), number: true, value: (row) => row.region.gain, cell: (row) => gainCell(row.region.gain, most) },
    { name: "What, or why not", value: (row) => wordsOf(row.region) },
  ], rows, 4);
  const parts = [filteredTable(table, "regions", states.length > 1 ? states : [], (row) => row.region.state), gainNote()];
  if (group !== undefined) parts.unshift(el("h2", {}, text(group)));
  return parts;
}

function wordsOf(region) {
  if (region.changed) return region.done.map(text).join("; ") || "edited";
  if (region.state === "warning") return region.races.map((race) => text(race[2])).join("; ");
  return region.cause ? `${text(region.cause[2])} [${region.cause[1]}]` : "nothing to gain";
}

function causesView() {
  const groups = new Map();
  for (const row of everyRegion()) {
    if (row.region.group < 0) continue;
    if (!groups.has(row.region.group)) groups.set(row.region.group, { group: row.region.group, files: new Set(), count: 0, gain: 0 });
    const found = groups.get(row.region.group);
    found.files.add(row.number);
    found.count += 1;
    found.gain += row.region.gain;
  }
  const rows = [...groups.values()];
  const most = Math.max(1e-9, ...rows.map((row) => row.gain));
  const table = new DataTable("Causes", [
    { name: "Cause", value: (row) => text(row.group), cell: (row) => el("a", { href: `#cause-${row.group}` }, text(row.group)) },
    { name: "Regions", number: true, value: (row) => row.count },
    { name: "Files", number: true, value: (row) => row.files.size },
    { name: GAIN(), number: true, value: (row) => row.gain, cell: (row) => gainCell(row.gain, most) },
  ], rows, 3);
  return [filteredTable(table, "causes", [], () => ""), gainNote()];
}

function chartsView() {
  return data.charts.map(barChart);
}

function saidItem([severity, id, message, line, notes]) {
  return el("li", {}, el("b", {}, severity), line ? ` line ${line}: ` : ": ", text(message), ` [${id}]`,
    notes.length ? el("ul", {}, notes.map(saidItem)) : "");
}

function fileView(number, chosen) {
  const file = data.files[number];
  const lines = file.source === null ? null : file.source.split("\n");
  if (lines && lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const folds = el("button", { type: "button", click: (event) => foldAll(event.currentTarget) }, "Unfold all");
  const parts = [el("h2", {}, file.name, " ", stateCell(file.state)),
    el("p", { class: "soft" }, file.path, file.command ? ` \u2014 ${file.command}` : "", ` \u2014 ${short(file.seconds)} s in s2s`)];
  if (file.reason) parts.push(el("p", { class: "race" }, file.reason));
  if (file.said.length) parts.push(el("ul", {}, file.said.map(saidItem)));
  if (file.noSource) parts.push(el("p", { class: "soft" }, file.noSource));
  parts.push(el("div", { class: "tools" }, folds, keyOfArcs(file)));
  let next = 1;
  file.regions.forEach((region, place) => {
    parts.push(gap(lines, next, region.lines[0] - 1), regionView(file, region, number, place, lines));
    next = region.lines[1] + 1;
  });
  parts.push(gap(lines, next, lines ? lines.length : 0, !file.regions.length));
  if (!file.regions.length && !lines) parts.push(el("p", {}, "No regions."));
  requestAnimationFrame(() => {
    const node = document.getElementById(`region-${chosen}`);
    if (node) { node.classList.add("at"); node.scrollIntoView({ block: "start" }); }
  });
  return parts.filter(Boolean);
}

function foldAll(button) {
  const open = button.textContent === "Unfold all";
  document.querySelectorAll("main details").forEach((fold) => { fold.open = open; });
  button.textContent = open ? "Fold all" : "Unfold all";
}

function keyOfArcs(file) {
  if (!file.regions.some((region) => region.dependences.length)) return "";
  return el("span", { class: "legend" }, KINDS.map((kind) => el("span", {}, el("i", { class: `key ${kind}`, style: "height:0;border-radius:0" }),
    kind === "order" ? "may overlap, or unknown calls" : kind)), el("span", { class: "soft" }, "dashed: within one iteration"));
}

/* Lines between regions, folded; made when they are opened. */
function gap(lines, from, to, open) {
  if (!lines || to < from) return null;
  const fold = el("details", { class: "gap", open, toggle: () => {
    if (fold.open && fold.children.length === 1)
      fold.append(el("div", { class: "wide" }, codeBlock(lines.slice(from - 1, to), from, "", `Lines ${from} to ${to}`)));
  } }, el("summary", {}, from === to ? `Line ${from}` : `Lines ${from} to ${to}`));
  return fold;
}

function regionView(file, region, number, place, lines) {
  const [first, last] = region.lines;
  const old = lines ? lines.slice(first - 1, last) : [];
  const source = codeBlock(old, first, "", "Source");
  for (const race of region.races) {
    const line = source.querySelectorAll(".l")[race[3] - first];
    if (line) line.classList.add("marked");
  }
  for (const [line, seconds] of region.times) {
    const row = source.querySelectorAll(".l")[line - first];
    if (row) row.append(el("span", { class: "time", title: "measured" }, `${short(seconds)} s`));
  }
  const light = lines ? drawArcs(source, first, old.length, region.dependences) : () => {};
  const sides = el("div", { class: region.new ? "sides two" : "sides" });
  if (lines) sides.append(el("div", { tabindex: 0, role: "region", "aria-label": `Source, lines ${first} to ${last}` },
    el("div", { class: "side-name" }, `Source, lines ${first} to ${last}`), source));
  if (region.new) sides.append(el("div", { tabindex: 0, role: "region", "aria-label": "Result" },
    el("div", { class: "side-name" }, "Result"), codeBlock(region.new.split("\n"), 0, "new", "Result")));
  const title = `${region.function || "region"}, ${first === last ? `line ${first}` : `lines ${first} to ${last}`}`;
  return el("article", { id: `region-${place}`, "aria-label": title },
    el("header", {}, el("h3", {}, el("a", { href: `#file-${number}-${place}` }, title), " ", stateCell(region.state)),
      el("p", {}, region.state === "warning" ? "" : wordsOf(region), region.seconds === null ? "" : ` \u2014 ${short(region.seconds)} s measured`),
      region.races.map((race) => el("p", { class: "race" }, `Line ${race[3]}: ${text(race[2])}`))),
    sides, details(region, light));
}

function details(region, light) {
  const parts = [];
  const fold = (name, ...content) => parts.push(el("details", {}, el("summary", {}, name), content));
  if (region.dependences.length) fold(`Dependences (${region.dependences.length})`, dependenceTable(region, light),
    region.leftOut ? el("p", { class: "soft" }, `${region.leftOut} more are left out.`) : "");
  if (region.dimensions.length) fold("Schedule", scheduleOf(region));
  if (region.before.length || region.after.length) fold("Loops before and after", loopsOf(region));
  if (region.guard) fold("Guard: when the new code runs", el("pre", { class: "text" }, guardLines(region.guard)));
  if (region.why.length) fold(`Why not more (${region.why.length})`, el("ul", {}, region.why.map(saidItem)));
  if (region.races.length) fold(`Data races (${region.races.length})`, el("ul", {}, region.races.map(saidItem)));
  return parts;
}

/* A line for each condition at the outermost level. */
function guardLines(guard) {
  let depth = 0;
  let shown = "";
  for (let place = 0; place < guard.length; place++) {
    depth += guard[place] === "(" ? 1 : guard[place] === ")" ? -1 : 0;
    shown += !depth && guard.startsWith(" && ", place) ? "\n  " : guard[place];
  }
  return shown;
}

function dependenceTable(region, light) {
  const loops = region.before;
  const carrier = (level, line) => {
    if (!level) return "none: within one iteration";
    const around = loops.filter((loop) => loop[1] === level - 1 && loop[0] <= line).pop();
    return around ? `loop ${level}: ${around[2]}` : `loop ${level}`;
  };
  const rows = region.dependences.map((d, number) => el("tr", { tabindex: 0, mouseenter: () => light(number), mouseleave: () => light(-1),
    focus: () => light(number), blur: () => light(-1) },
    el("td", {}, el("span", { class: `key ${d[2]}` }), d[2]), el("td", {}, d[3]),
    el("td", {}, `${d[0]} line ${d[4]} \u2192 ${d[1]} line ${d[5]}`), el("td", {}, carrier(d[6], d[4])), el("td", {}, d[7] ? `(${d[7]})` : "")));
  return el("div", { class: "wide" }, el("table", { "aria-label": "Dependences" }, el("thead", {}, el("tr", {},
    ["Kind", "Array", "From and to", "Carried by", "Distance"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows)));
}

function scheduleOf(region) {
  const table = el("table", { "aria-label": "Loops of the schedule" }, el("thead", {}, el("tr", {}, ["Loop", "Is", "Iterations run", "Size"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, region.dimensions.map(([name, role, runs, size]) => el("tr", {}, el("td", {}, name),
      el("td", {}, { tile: "a tile or strip", band: "points", order: "the source's order inside" }[role] || role), el("td", {}, runs), el("td", {}, size > 1 ? String(size) : "")))));
  return [el("div", { class: "wide" }, table), el("pre", { class: "text" },
    region.statements.map(([name, line, words, order]) => `${name}, line ${line}: ${text(words)}\n    ${text(order) || "as before"}\n`).join(""))];
}

function loopsOf(region) {
  const before = region.before.map(([line, depth, words]) => `${String(line).padStart(5)}  ${"    ".repeat(depth)}${words}`).join("\n");
  const after = region.after.map(([depth, words]) => "    ".repeat(depth) + words).join("\n");
  return el("div", { class: "pair" }, el("div", {}, el("h4", {}, "Before"), el("pre", { class: "text" }, before || "not known")),
    region.new ? el("div", {}, el("h4", {}, "After"), el("pre", { class: "text" }, after || "no loops")) : "");
}
