"use strict";
/* Lines of C with numbers and colours. */

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if"
  + " inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void"
  + " volatile while bool size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t class namespace"
  + " template using true false auto").split(" "));
const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+.*)|([A-Za-z_]\w*)/g;

/* The parts of one line; inside is whether it begins in a comment. Gives [nodes, whether it ends in one]. */
function coloured(line, inside) {
  const nodes = [];
  let at = 0;
  const put = (kind, piece) => nodes.push(kind ? el("span", { class: kind }, piece) : piece);
  if (inside) {
    const end = line.indexOf("*/");
    if (end < 0) return [[el("span", { class: "c" }, line)], true];
    put("c", line.slice(0, end + 2));
    at = end + 2;
  }
  TOKEN.lastIndex = at;
  for (let found = TOKEN.exec(line); found; found = TOKEN.exec(line)) {
    if (found.index > at) put("", line.slice(at, found.index));
    at = TOKEN.lastIndex;
    put(found[1] ? "c" : found[2] ? "s" : found[3] ? "p" : KEYWORDS.has(found[4]) ? "k" : "", found[0]);
    if (found[1] && found[1].startsWith("/*") && !found[1].endsWith("*/")) return [nodes, true];
  }
  if (at < line.length) put("", line.slice(at));
  return [nodes, false];
}

/* A block of lines numbered from first; with 0 they have no numbers. */
function codeBlock(lines, first, kind, label) {
  const block = el("div", { class: first ? "code" : "code plain", role: "group", "aria-label": label });
  let inside = false;
  lines.forEach((line, place) => {
    const [nodes, open] = coloured(line.replace(/\t/g, "        ").replace(/\r$/, ""), inside);
    inside = open;
    block.append(el("div", { class: `l ${kind}`.trim() },
      el("span", { class: "n" }, first ? String(first + place) : ""), el("span", {}, nodes)));
  });
  return block;
}
