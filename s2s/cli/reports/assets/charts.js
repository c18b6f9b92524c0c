"use strict";
/* Bars, with a logarithmic axis where values span a decade. */

const COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)", "var(--e)", "var(--f)"];

/* Round values from least to most: [value...]. */
function ticks(least, most, log) {
  if (log) {
    const found = [];
    for (let power = Math.floor(Math.log10(least)); 10 ** power <= most * 1.0001; power++)
      for (const step of most / least > 1000 ? [1] : [1, 2, 5])
        if (step * 10 ** power >= least * 0.9999 && step * 10 ** power <= most * 1.0001) found.push(step * 10 ** power);
    return found;
  }
  const rough = (most - least) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough);
  const found = [];
  for (let value = Math.ceil(least / step) * step; value <= most * 1.0001; value += step) found.push(value);
  return found;
}

function legend(names) {
  return names.length < 2 ? "" : el("ul", { class: "legend" }, names.map((name, place) =>
    el("li", {}, el("i", { style: `background:${COLOURS[place % 6]}` }), name)));
}

/* A chart: {title, unit, note, names, rows: [[case, [value of each name], [published...]]]}. */
function barChart(chart) {
  const values = chart.rows.flatMap((row) => [...row[1], ...(row[2] || [])]).filter((v) => v !== null && v > 0);
  const most = Math.max(...values, 1e-30);
  const least = Math.min(...values, most);
  const log = most / least > 10 && !chart.unit.startsWith("%");
  const low = log ? 10 ** Math.floor(Math.log10(least * 0.999)) : 0;
  const place = (value) => 190 + 480 * (log ? Math.log(value / low) / Math.log(most / low) : value / most);
  const high = 13;
  const parts = [];
  let y = 22;
  for (const [name, bars, published] of chart.rows) {
    const shown = name.length > 27 ? name.slice(0, 26) + "\u2026" : name;
    parts.push(svg("text", { x: 182, y: y + (high * bars.length) / 2 + 4, "text-anchor": "end" }, shown, svg("title", {}, name)));
    bars.forEach((value, number) => {
      const top = y + number * high;
      if (value === null || value <= 0) parts.push(svg("text", { x: 194, y: top + 10, class: "soft" }, value === null ? "no value" : String(value)));
      else parts.push(svg("rect", { x: 190, y: top, height: high - 2, width: Math.max(1, place(value) - 190), fill: COLOURS[number % 6] },
          svg("title", {}, `${name}, ${chart.names[number]}: ${value} ${chart.unit}`)),
        svg("text", { x: place(value) + 5, y: top + 10 }, short(value)));
      const told = (published || [])[number];
      if (told > 0) parts.push(svg("line", { x1: place(told), x2: place(told), y1: top - 1, y2: top + high - 1, stroke: "var(--text)", "stroke-width": 2 },
        svg("title", {}, `published: ${told} ${chart.unit}`)));
    });
    y += high * bars.length + 7;
  }
  const axis = ticks(log ? low : 0, most, log).map((value) => [
    svg("line", { class: "axis", x1: place(value), x2: place(value), y1: 16, y2: y }),
    svg("text", { class: "soft", x: place(value), y: 11, "text-anchor": "middle" }, short(value))]);
  const drawing = svg("svg", { viewBox: `0 0 740 ${y + 4}`, width: 740, role: "img", "aria-label": chart.title }, axis, parts);
  const told = chart.rows.some((row) => (row[2] || []).some((v) => v > 0));
  return el("figure", {}, el("figcaption", {}, `${chart.title}${chart.unit ? `, ${chart.unit}` : ""}${log ? ", logarithmic axis" : ""}`),
    legend(chart.names), el("div", { class: "chart" }, drawing),
    told ? el("p", { class: "soft" }, "Strokes are published values.") : "",
    chart.note ? el("p", { class: "soft" }, chart.note) : "");
}
