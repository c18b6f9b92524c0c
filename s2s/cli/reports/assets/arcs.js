"use strict";
/* Dependences as arcs beside the lines that they lead from and to. */

const LINE = 18;
const KINDS = ["flow", "anti", "output", "order"];

/* Dependences that look the same are one arc: [{from, to, kind, carried, labels, members}]. */
function groupArcs(dependences) {
  const groups = new Map();
  dependences.forEach(([, , kind, array, from, to, carried, distance], number) => {
    const key = [from, to, kind, Boolean(carried)].join(" ");
    if (!groups.has(key)) groups.set(key, { from, to, kind, carried: Boolean(carried), labels: [], members: [] });
    const group = groups.get(key);
    const label = distance ? `${array} (${distance})` : array;
    if (!group.labels.includes(label)) group.labels.push(label);
    group.members.push(number);
  });
  return [...groups.values()].sort((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from));
}

function shortened(label) {
  return label.length > 26 ? label.slice(0, 25) + "\u2026" : label;
}

/* Draws them over a block whose first line is `first`; gives a function that lights one up. */
function drawArcs(block, first, count, dependences) {
  const groups = groupArcs(dependences).filter((g) => [g.from, g.to].every((l) => l >= first && l < first + count));
  if (!groups.length) return () => {};
  const labelled = groups.length <= 6 && window.innerWidth >= 900;
  const gutter = labelled ? 200 : Math.min(120, 40 + 9 * groups.length);
  const right = gutter + 6;
  const used = [];
  const nodes = groups.map((group, level) => {
    const [from, to] = [group.from, group.to].map((line) => (line - first + 0.5) * LINE);
    const reach = Math.min(gutter - (labelled ? 130 : 6), 16 + 9 * level);
    const same = from === to;
    const [start, end] = same ? [from - 4, to + 5] : [from + 2, to - 2];
    const x = right - reach * 1.33;
    const bow = same ? 5 + 2.5 * level : 0;
    const path = `M${right} ${start} C${x} ${start - bow},${x} ${end + bow},${right} ${end}`;
    const words = `${group.kind}${group.carried ? "" : ", same iteration"}: ${group.labels.join("; ")}`;
    const node = svg("g", { "data-members": group.members.join(" "), role: "img", "aria-label":
        `${words}, line ${group.from} to ${group.to}` },
      svg("title", {}, words),
      svg("path", { class: "hit", d: path }),
      svg("path", { class: `arc ${group.kind} ${group.carried ? "" : "independent"}`, d: path }),
      svg("path", { class: `arc ${group.kind}`, d: `M${right - 6} ${end - 3.5}L${right} ${end}L${right - 6} ${end + 3.5}` }));
    if (labelled) {
      let y = (start + end) / 2 + 4;
      while (used.some((other) => Math.abs(other - y) < 12)) y += 12;
      used.push(y);
      const more = group.labels.length > 1 ? ` +${group.labels.length - 1}` : "";
      node.append(svg("text", { class: group.kind, x: right - reach - 5, y, "text-anchor": "end" }, shortened(group.labels[0]) + more));
    }
    return node;
  });
  const drawing = svg("svg", { class: "arcs", width: right, height: count * LINE }, nodes);
  block.classList.add("arcs");
  block.style.setProperty("--gutter", `${gutter}px`);
  block.append(drawing);
  const light = (number) => nodes.forEach((node) => {
    const mine = node.dataset.members.split(" ").includes(String(number));
    node.classList.toggle("on", mine);
    node.classList.toggle("dim", number >= 0 && !mine);
  });
  nodes.forEach((node) => {
    node.addEventListener("mouseenter", () => light(Number(node.dataset.members.split(" ")[0])));
    node.addEventListener("mouseleave", () => light(-1));
  });
  return light;
}
