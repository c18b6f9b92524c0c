"use strict";
/* The data of the page, elements, tables that sort and filter. */

const data = JSON.parse(document.getElementById("data").textContent);
const text = (number) => data.texts[number];

/* An element; functions among the attributes are event listeners. */
function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/* A number with at most three digits that matter. */
function short(value) {
  if (value === null || value === undefined) return "";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6) return (value / 1e6).toPrecision(3) + " M";
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

const ROWS = 400;

/* A table whose headers sort. Columns: {name, value(row), cell(row), number, optional}. */
class DataTable {
  constructor(label, columns, rows, sorted) {
    this.columns = columns;
    this.rows = rows;
    this.column = sorted ?? -1;
    this.down = true;
    this.words = [];
    this.wanted = () => true;
    this.most = ROWS;
    this.body = el("tbody");
    this.heads = columns.map((column, place) =>
      el("th", { scope: "col", class: this.classes(column) },
        el("button", { type: "button", click: () => this.sort(place) }, column.name)));
    this.more = el("button", { type: "button", click: () => { this.most = Infinity; this.draw(); } });
    this.node = el("div", {},
      el("div", { class: "wide" },
        el("table", { "aria-label": label }, el("thead", {}, el("tr", {}, this.heads)), this.body)),
      this.more);
    this.draw();
  }

  classes(column) {
    return [column.number ? "number" : column.name === "File" ? "name" : "",
      column.optional ? "optional" : ""].join(" ").trim() || null;
  }

  sort(place) {
    this.down = this.column === place ? !this.down : Boolean(this.columns[place].number);
    this.column = place;
    this.draw();
  }

  filter(words, wanted) {
    this.words = words.toLowerCase().split(/\s+/).filter(Boolean);
    this.wanted = wanted;
    this.draw();
  }

  shown() {
    const kept = this.rows.filter((row) => this.wanted(row)
      && this.words.every((word) => this.searched(row).includes(word)));
    if (this.column < 0) return kept;
    const value = this.columns[this.column].value;
    const sign = this.down ? -1 : 1;
    return kept.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return sign * (typeof x === "number" ? x - y : String(x).localeCompare(String(y)));
    });
  }

  searched(row) {
    row.searched ??= this.columns.map((column) => column.value(row)).join(" ").toLowerCase();
    return row.searched;
  }

  draw() {
    const rows = this.shown();
    this.body.replaceChildren(...rows.slice(0, this.most).map((row) =>
      el("tr", {}, this.columns.map((column) =>
        el("td", { class: this.classes(column) }, column.cell ? column.cell(row) : column.value(row))))));
    this.heads.forEach((head, place) => {
      if (place === this.column) head.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.count = rows.length;
    this.more.hidden = rows.length <= this.most;
    this.more.textContent = `Show all ${rows.length} rows`;
    if (this.changed) this.changed();
  }
}

/* A table with a field that filters it, and a button for each of some kinds. */
function filteredTable(table, name, kinds, kindOf) {
  const chosen = new Set();
  const told = el("span", { class: "soft", role: "status" });
  const field = el("input", { type: "search", placeholder: `Filter ${name}`, "aria-label": `Filter ${name}`,
    input: () => apply() });
  const buttons = kinds.map((kind) => el("button", { type: "button", "aria-pressed": "false",
    click: (event) => {
      chosen.has(kind) ? chosen.delete(kind) : chosen.add(kind);
      event.currentTarget.setAttribute("aria-pressed", String(chosen.has(kind)));
      apply();
    } }, kind));
  const apply = () => table.filter(field.value, (row) => !chosen.size || chosen.has(kindOf(row)));
  table.changed = () => { told.textContent = `${table.count} of ${table.rows.length} ${name}`; };
  table.changed();
  return el("div", {}, el("div", { class: "tools" }, field, buttons, told), table.node);
}
