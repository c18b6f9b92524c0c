"use strict";
/* The views of a run on a simulated machine: timelines, grids, listings, rooflines. */

const PARTS = { timeline: timelinePart, table: tablePart, bars: barsPart, grid: gridPart, listing: listingPart, roofline: rooflinePart };

function machineViews() {
  return data.views.map(([name, parts], number) => [`view${number}`, name, () => parts.map((part) => PARTS[part.kind](part))]);
}

function figure(part, ...content) {
  return el("figure", {}, el("figcaption", {}, part.title), content, part.note ? el("p", { class: "soft" }, part.note) : "");
}

function tablePart(part) {
  const columns = part.columns.map((name, place) => ({ name, value: (row) => row[place] ?? "",
    number: part.rows.some((row) => typeof row[place] === "number"), cell: (row) => typeof row[place] === "number" ? short(row[place]) : row[place] ?? "" }));
  const table = new DataTable(part.title, columns, part.rows.map((row) => [...row]));
  return figure(part, part.rows.length > 12 ? filteredTable(table, "rows", [], () => "") : table.node);
}

function barsPart(part) {
  return barChart({ ...part, rows: part.rows.map(([name, values]) => [name, values, []]) });
}

/* Colours by the kind of slice: its name up to the first blank, comma or dot. */
function colourOf(known, name) {
  const kind = name.split(/[ ,.]/)[0];
  if (!known.has(kind)) known.set(kind, known.size);
  return COLOURS[known.get(kind) % COLOURS.length];
}

/* Tracks over time, which zooms: + and -, the wheel with Ctrl, and drags. Only what is in sight is drawn. */
function timelinePart(part) {
  const left = 170;
  const tall = part.tracks.length > 40 ? 12 : 18;
  const known = new Map();
  part.slices.forEach((slice) => colourOf(known, part.names[slice[3]]));
  const tip = el("p", { class: "tip", role: "status" }, "Point at a slice to read it.");
  const box = el("div", { class: "chart", tabindex: 0, role: "group", "aria-label": `${part.title}; + and - zoom, arrows move` });
  let from = 0;
  let to = Math.max(1, part.cycles);
  const draw = () => {
    const width = Math.max(560, box.clientWidth || 900);
    const right = width - 10;
    const place = (time) => left + ((right - left) * (time - from)) / (to - from);
    const height = 20 + part.tracks.length * tall;
    const nodes = ticks(from, to, false).filter((t) => t >= from).map((time) => [
      svg("line", { class: "axis", x1: place(time), x2: place(time), y1: 16, y2: height }),
      svg("text", { class: "soft", x: place(time), y: 11, "text-anchor": time === from ? "start" : "middle" }, short(time))]);
    part.tracks.forEach((name, track) => nodes.push(
      svg("text", { x: left - 6, y: 20 + track * tall + tall - 4, "text-anchor": "end", style: tall < 15 ? "font-size:10px" : null },
        name.length > 27 ? "\u2026" + name.slice(-26) : name, svg("title", {}, name)),
      svg("line", { class: "axis", x1: left, x2: right, y1: 20 + track * tall, y2: 20 + track * tall })));
    const ends = new Map();
    for (const [track, start, length, name, line] of part.slices) {
      if (start + length < from || start > to) continue;
      const [x, end] = [Math.max(left, place(start)), Math.min(right, place(start + length))];
      if (end - x < 0.5 && x < (ends.get(track) ?? -1)) continue;  // nothing to see beside the last one
      ends.set(track, x + 0.7);
      const words = `${part.tracks[track]}: ${part.names[name]}, cycles ${short(start)} to ${short(start + length)}${line ? `, line ${line}` : ""}`;
      const bar = svg("rect", { x, y: 21 + track * tall, width: Math.max(0.7, end - x - (end - x > 3 ? 1 : 0)), height: tall - 3, fill: colourOf(known, part.names[name]) });
      bar.addEventListener("mouseenter", () => { tip.textContent = words; });
      nodes.push(bar);
      const room = Math.floor((end - x) / 6.6);
      if (room >= 3 && tall >= 15) nodes.push(svg("text", { class: "inside", x: x + 3, y: 20 + track * tall + tall - 5 }, part.names[name].slice(0, room)));
    }
    box.replaceChildren(svg("svg", { width, height: height + 6, viewBox: `0 0 ${width} ${height + 6}`, role: "img", "aria-label": part.title }, nodes));
  };
  const zoom = (factor, at = 0.5) => {
    const middle = from + (to - from) * at;
    const size = Math.min(Math.max(2, (to - from) * factor), Math.max(1, part.cycles));
    from = Math.min(Math.max(0, middle - size * at), Math.max(0, part.cycles - size));
    to = from + size;
    draw();
  };
  const move = (share) => {
    const by = Math.min(Math.max(-from, (to - from) * share), part.cycles - to);
    from += by;
    to += by;
    draw();
  };
  const keys = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25) };
  box.addEventListener("keydown", (event) => { if (keys[event.key]) { event.preventDefault(); keys[event.key](); } });
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, (event.offsetX - left) / (box.clientWidth - left))));
  }, { passive: false });
  requestAnimationFrame(draw);
  const button = (words, action) => el("button", { type: "button", click: action }, words);
  return figure(part, el("div", { class: "tools" }, button("Zoom in", () => zoom(0.5)), button("Zoom out", () => zoom(2)),
    button("Earlier", () => move(-0.5)), button("Later", () => move(0.5))),
    known.size <= 12 ? legend([...known.keys()].slice(0, 6)) : "", box, tip);
}

/* A square for each value, darker where it is greater. */
function gridPart(part) {
  const most = Math.max(1e-9, ...part.values.flat());
  const cell = Math.max(10, Math.min(28, Math.floor(720 / Math.max(1, part.columns.length))));
  const tip = el("p", { class: "tip", role: "status" }, "Point at a cell to read it.");
  const nodes = [];
  const every = Math.ceil(34 / cell);
  part.columns.forEach((name, x) => { if (x % every === 0) nodes.push(svg("text", { class: "soft", x: 52 + x * cell + cell / 2, y: 12, "text-anchor": "middle" }, name)); });
  part.rows.forEach((name, y) => {
    if (y % Math.ceil(14 / cell) === 0) nodes.push(svg("text", { class: "soft", x: 46, y: 18 + y * cell + cell / 2 + 4, "text-anchor": "end" }, name));
    part.values[y].forEach((value, x) => {
      const label = part.labels[y]?.[x];
      const words = `row ${name}, column ${part.columns[x]}: ${label || short(value)}`;
      const square = svg("rect", { x: 52 + x * cell, y: 18 + y * cell, width: cell - 1, height: cell - 1, fill: "var(--a)",
        "fill-opacity": value ? 0.15 + (0.85 * value) / most : 0, stroke: "var(--line)" }, svg("title", {}, words));
      square.addEventListener("mouseenter", () => { tip.textContent = words; });
      nodes.push(square);
    });
  });
  const [width, height] = [60 + part.columns.length * cell, 24 + part.rows.length * cell];
  return figure(part, el("div", { class: "chart" }, svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": part.title }, nodes)), tip);
}

/* A text with a bar and numbers beside its lines; what is far from any count is folded. */
function listingPart(part) {
  const counts = new Map(part.counts);
  const most = Math.max(1e-9, ...part.counts.map(([, row]) => row[0]));
  const lines = part.text.split("\n");
  const near = (number) => [...Array(7).keys()].some((by) => counts.has(number + by - 3));
  const content = [];
  let run = null;
  lines.forEach((line, place) => {
    const kept = near(place + 1) || counts.size === 0;
    if (!run || run.kept !== kept) content.push(run = { kept, first: place + 1, lines: [] });
    run.lines.push(line);
  });
  const blocks = content.map(({ kept, first, lines: some }) => {
    const last = first + some.length - 1;
    const make = () => {
      const block = codeBlock(some, first, "", `Lines ${first} to ${last}`);
      [...block.children].forEach((row, place) => {
        const found = counts.get(first + place);
        const share = found ? found[0] / most : 0;
        row.prepend(el("span", { class: "counts" }, found ? el("span", { class: "bar", style: `width:${Math.round(60 * share)}px` }) : "",
          found ? found.map(short).join(" / ") : ""));
      });
      return el("div", { class: "wide" }, block);
    };
    if (kept) return make();
    const fold = el("details", { class: "gap", toggle: () => { if (fold.children.length === 1) fold.append(make()); } }, el("summary", {}, `Lines ${first} to ${last}`));
    return fold;
  });
  return figure(part, el("p", { class: "soft" }, `Beside the lines: ${part.columns.join(" / ")}.`), blocks);
}

/* The two limits and what is reached, both axes logarithmic. */
function rooflinePart(part) {
  const knee = part.bandwidth ? part.peak / part.bandwidth : 1;
  const xs = [knee, ...part.points.map((p) => p[1])];
  const ys = [part.peak, ...part.points.map((p) => p[2]).filter((v) => v > 0)];
  const [x0, x1] = [10 ** Math.floor(Math.log10(Math.min(...xs) / 3)), 10 ** Math.ceil(Math.log10(Math.max(...xs) * 3))];
  const [y0, y1] = [10 ** Math.floor(Math.log10(Math.min(...ys, part.bandwidth * x0 || Infinity))), 10 ** Math.ceil(Math.log10(part.peak * 1.01))];
  const px = (x) => 70 + 610 * (Math.log(x / x0) / Math.log(x1 / x0));
  const py = (y) => 350 - 320 * (Math.log(Math.max(y, y0) / y0) / Math.log(y1 / y0));
  const nodes = [
    ticks(x0, x1, true).map((x) => [svg("line", { class: "axis", x1: px(x), x2: px(x), y1: 30, y2: 350 }), svg("text", { class: "soft", x: px(x), y: 366, "text-anchor": "middle" }, short(x))]),
    ticks(y0, y1, true).map((y) => [svg("line", { class: "axis", x1: 70, x2: 680, y1: py(y), y2: py(y) }), svg("text", { class: "soft", x: 64, y: py(y) + 4, "text-anchor": "end" }, short(y))]),
    svg("text", { x: 375, y: 386, "text-anchor": "middle" }, `${part.unit} for a byte`),
    svg("text", { x: 70, y: 18 }, `${part.unit} in a cycle`),
  ];
  if (part.bandwidth) {
    const start = Math.max(x0, y0 / part.bandwidth);
    nodes.push(svg("path", { d: `M${px(start)} ${py(part.bandwidth * start)}L${px(knee)} ${py(part.peak)}L${px(x1)} ${py(part.peak)}`, fill: "none", stroke: "var(--text)", "stroke-width": 2 }),
      svg("text", { x: px(knee) - 8, y: py(part.peak) - 7, "text-anchor": "end" }, `${short(part.bandwidth)} bytes in a cycle`));
  }
  nodes.push(svg("text", { x: px(x1) - 4, y: py(part.peak) - 7, "text-anchor": "end" }, `${short(part.peak)} at most`));
  for (const [name, x, y] of part.points) nodes.push(
    svg("circle", { cx: px(x), cy: py(y), r: 6, fill: "var(--b)" }, svg("title", {}, `${name}: ${short(y)} ${part.unit} in a cycle, ${short(x)} for a byte`)),
    svg("text", { x: px(x) + 10, y: py(y) + 4 }, `${name}: ${short(y)}`));
  return figure(part, el("div", { class: "chart" }, svg("svg", { width: 700, height: 392, viewBox: "0 0 700 392", role: "img", "aria-label": part.title }, nodes)));
}
