// Making elements. Whatever comes from the graphs is put in as text only, never as HTML, so nothing
// that a label says can run.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const byId = (id) => document.getElementById(id);

/* Show invisible characters, and those that turn the text around them, as escapes. */
function visible(text) {
  const hidden =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;
  return String(text).replace(hidden, (character) => {
    const code = character.codePointAt(0);
    if (code < 32) return String.fromCodePoint(0x2400 + code);
    return "⟨U+" + code.toString(16).toUpperCase().padStart(4, "0") + "⟩";
  });
}

function cut(text, longest) {
  return text.length > longest ? [...text].slice(0, longest).join("") + "…" : text;
}

/* Text of a graph outside an element of its own: its direction ends with the text. */
function isolated(text, longest = Infinity) {
  return "\u2068" + visible(cut(text, longest)) + "\u2069";
}

/* The same text as an element. */
function label(text, attributes) {
  return make("bdi", attributes, visible(text));
}

/* Four decimals, rounded as Python does: halves go to the even digit. */
function decimals(value) {
  if (value === null || value === undefined) return "–";
  const [below, rest] = [value.toFixed(60).slice(0, -56), value.toFixed(60).slice(-56)];
  return /^50*$/.test(rest) && Number(below.slice(-1)) % 2 === 0 ? below : value.toFixed(4);
}

const inFigures = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

function whole(value) {
  return inFigures.format(value);
}

/* A number of triples; metrics with partial credit have fractions. */
function amount(count, scale) {
  return inFigures.format(count / scale);
}

function plural(count, one, many = one + "s") {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
