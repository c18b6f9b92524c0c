const channel = (v) => v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map(Number);
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
const back = (e) => {
  for (; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (!/, 0\)$|transparent/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const poor = [];
for (const e of document.querySelectorAll("body *:not(script):not(style):not(svg *)")) {
  if (!says(e) || !e.offsetParent) continue;
  const [a, b] = [light(getComputedStyle(e).color), light(back(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) poor.push(e.outerHTML.slice(0, 120));
}
return poor;
