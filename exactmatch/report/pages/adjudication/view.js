// What is shown: the item that is open, what is asked, and the graph as it grows

const current = { item: batch.items[0], key: null, filter: "all" };

/* Which items are listed. */
const FILTERS = {
  all: () => true,
  unfinished: (item) => !isDone(stateOf(item)),
  conflict: (item) => stateOf(item).conflicts.size > 0,
  agreed: areAgreed,
};

const isShown = (item) => FILTERS[current.filter](item);

function show() {
  const { item } = current;
  const state = stateOf(item);
  const all = asked(item, state);
  if (!all.some((one) => one.id === current.key)) current.key = nextOpen(item, state, null) ?? all[0]?.id ?? null;
  byId("who").value = work.who;
  showPeople();
  byId("items").replaceChildren(...itemOptions());
  byId("items").value = item.id;
  byId("progress").textContent = `${progressWords()}.`;
  byId("saved").textContent = savedWords();
  byId("item-title").replaceChildren("Item ", label(item.id));
  byId("sentence").replaceChildren(...sentenceElements(item));
  byId("metadata").replaceChildren(...item.metadata.flatMap(([key, value]) =>
    [make("dt", {}, label(key)), make("dd", { dir: "auto" }, visible(value))]));
  showQuestion(item, state);
  showDifferences(item, state);
  showGraph(item, state);
  byId("annotators").replaceChildren(...item.graphs.map((graph, k) => annotatorElement(graph, k)));
}

function showPeople() {
  const words = peopleWords();
  byId("people").textContent = words;
  byId("people").hidden = !words;
}

function progressWords() {
  const states = batch.items.map(stateOf);
  const sum = (count) => states.reduce((total, state) => total + count(state), 0);
  const left = sum((state) => undecidedIn(state).length);
  const conflicts = sum((state) => state.conflicts.size);
  return [`${whole(states.filter(isDone).length)} of ${plural(batch.items.length, "item")} finished`,
    `${plural(left, "difference")} to decide`, ...(conflicts ? [plural(conflicts, "conflict")] : [])].join(", ");
}

/* The items that are shown, and the one that is open. */
function itemOptions() {
  return batch.items.flatMap((item, k) => (item === current.item || isShown(item)
    ? [make("option", { value: item.id }, `${k + 1}. ${isolated(item.id, 40)}: ${itemWords(item)}`)] : []));
}

function itemWords(item) {
  const state = stateOf(item);
  if (isDone(state)) return areAgreed(item) ? "finished, all agree" : "finished";
  const left = undecidedIn(state).length + state.conflicts.size;
  return left ? `${whole(left)} to decide` : waitingFor(state).join(", ") || "to finish";
}

function sentenceElements(item) {
  if (!item.sentences.length) return [make("span", { class: "quiet" }, "The files have no sentence.")];
  return item.sentences.map(([who, said]) => make("p", { dir: "auto" }, who && make("b", {}, `${isolated(who)}: `), visible(said)));
}

function showQuestion(item, state) {
  const one = differenceOf(item, current.key);
  const place = byId("question");
  if (one === null) {
    place.replaceChildren(make("h3", {}, "Nothing differs here"), make("p", {}, finishWords(state)));
    return;
  }
  const conflict = state.conflicts.get(one.id);
  const choice = state.choices.get(one.id);
  const all = asked(item, state);
  const buttons = one.options.map((option, k) => choiceButton(k + 1, optionWords(item, state, one, option), annotators(option.by),
    choice === k, () => choose(k)));
  buttons.push(choiceButton(0, choiceWords(item, state, one, NEITHER), one.absent.length ? annotators(one.absent) : "nobody",
    choice === NEITHER, () => choose(NEITHER)));
  place.replaceChildren(
    make("p", { class: "quiet small" }, `Difference ${all.indexOf(one) + 1} of ${all.length}: ${KIND_WORDS[one.kind]}. `,
      make("span", { class: `standing ${one.standing}` }, STANDING_WORDS[one.standing]), "."),
    make("h3", { id: "asked" }, questionWords(item, state, one)),
    conflict ? make("p", { class: "alarm" }, "Conflict: ", conflict.map(({ who, words }) =>
      `${isolated(who)} says ${isolated(words ?? "")}`).join("; "), ". What you decide now settles it.") : [],
    make("div", { class: "options", role: "group", "aria-labelledby": "asked" }, buttons),
    one.kind === "node" ? [] : newForm(one, choice),
    noteForm(state, one));
}

function choiceButton(key, words, who, isChosen, onclick) {
  return make("button", { type: "button", class: "option", "aria-pressed": isChosen ? "true" : "false", onclick, "data-key": key },
    make("kbd", {}, key), " ", make("span", { class: "what", dir: "auto" }, words), " ", make("span", { class: "who" }, `(${who})`));
}

function newForm(one, choice) {
  const isNew = choice !== undefined && choice !== null && typeof choice === "object";
  const field = make("input", { id: "new", type: "text", autocomplete: "off", dir: "auto", value: isNew ? choice.new : "" });
  const list = one.kind === "root" ? make("datalist", { id: "names" }, current.item.nodes.map((name) => make("option", { value: name }))) : [];
  if (one.kind === "root") field.setAttribute("list", "names");
  return make("form", { class: "controls", onsubmit: (event) => { event.preventDefault(); chooseNew(field.value.trim()); } },
    make("label", {}, make("kbd", {}, "w"), ` ${newWords(one)} `, field), list,
    make("button", { type: "submit", "aria-pressed": isNew ? "true" : "false" }, "Take this"));
}

function noteForm(state, one) {
  const notes = state.notes.filter((entry) => entry.difference === one.id);
  const field = make("input", { id: "note", type: "text", autocomplete: "off", dir: "auto" });
  return make("div", {},
    make("ul", { class: "notes small" }, notes.map((entry) => make("li", { dir: "auto" }, `${isolated(entry.who)}: ${visible(entry.note)}`))),
    make("form", { class: "controls", onsubmit: (event) => { event.preventDefault(); if (field.value.trim()) note(field.value.trim()); } },
      make("label", {}, make("kbd", {}, "e"), " a note ", field), make("button", { type: "submit" }, "Note it")));
}

function showDifferences(item, state) {
  const rows = asked(item, state).map((one) => {
    const choice = state.choices.get(one.id);
    const words = state.conflicts.has(one.id) ? "conflict" : choice === undefined ? "undecided" : choiceWords(item, state, one, choice);
    const sign = state.conflicts.has(one.id) ? "!" : choice === undefined ? "○" : "●";
    return make("li", {}, make("button", {
      type: "button", class: "row", "aria-current": one.id === current.key ? "true" : null,
      onclick: () => { current.key = one.id; show(); say(spokenQuestion()); },
    }, make("span", { "aria-hidden": "true" }, `${sign} `), questionWords(item, state, one), " ", make("b", {}, words)));
  });
  const extra = [...state.choices.keys(), ...state.conflicts.keys()].filter((key) => key.startsWith(ADD) || key.startsWith(DROP));
  byId("differences").replaceChildren(...rows, ...extra.map((key) => extraRow(state, key)));
  const { moot } = state.result;
  byId("moot").textContent = moot.size ? `${plural(moot.size, "difference")} fell away with nodes that are not there.` : "";
}

/* Of what is added or dropped: people may differ in whether it is. */
function extraRow(state, key) {
  const words = key.startsWith(ADD) ? `added: ${key.slice(ADD.length)}` : `dropped: ${key.slice(DROP.length)}`;
  const deciding = (choice, name, done) => make("button", { type: "button", onclick: () => decide(key, choice, `${done}: ${isolated(key)}`) }, name);
  const conflict = state.conflicts.has(key);
  return make("li", {}, conflict ? make("b", {}, "conflict: ") : [], label(words), " ",
    conflict ? [deciding(true, "Keep", "kept"), " "] : [], deciding(null, "Take back", "taken back"));
}

function showGraph(item, state) {
  const one = differenceOf(item, current.key);
  const about = one === null ? [] : one.kind === "root" ? [] : one.about;
  byId("drawing").replaceChildren(drawnItem(item, state, one, about));
  const left = item.drawn.left ?? 0;
  byId("left").textContent = left
    ? `Drawn is what differs, with its neighbours; ${plural(left, "node")} more that all have ${left === 1 ? "is" : "are"} in the text.` : "";
  byId("text").replaceChildren(...textPieces(textOf(item, state.result), about));
  byId("faults").replaceChildren(...faultElements(state));
  const why = waitingFor(state);
  byId("finish").textContent = state.finished ? "Open again" : "Finish the item";
  byId("hindrances").textContent = state.finished ? finishedWords(why) : why.length ? `To be finished: ${why.join("; ")}.` : "This item can be finished.";
  bringIntoSight(byId("drawing"), document.querySelector("#drawing .about .box"));
  scrollWithin(byId("text"), document.querySelector("#text mark"));
  scrollWithin(byId("differences"), document.querySelector("#differences [aria-current]"));
}

const finishedWords = (why) => (why.length ? `Finished, but not to be collected: ${why.join("; ")}.` : "This item is finished.");

/* The text, its names of what is asked about marked; words of other scripts turn nothing around them. */
function textPieces(text, about) {
  const names = new Set(about);
  return text.split(/("(?:[^"\\]|\\.)*"|[\s()]+)/).map((piece) => {
    if (names.has(piece)) return make("mark", {}, label(piece));
    return /^[\x20-\x7e]*$/.test(piece) || /^[\s()]/.test(piece) ? visible2(piece) : label(piece);
  });
}

/* Scrolls a list or a text, and nothing else, to a part of it. */
function scrollWithin(place, part) {
  if (part === null) return;
  const [outer, inner] = [place.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) place.scrollTop += inner.top - outer.top - place.clientHeight / 3;
}

/* Scrolls the drawing, and nothing else, to what is asked about. */
function bringIntoSight(place, box) {
  if (box === null) return;
  const svg = place.firstChild;
  const scale = svg.getAttribute("width") / svg.viewBox.baseVal.width;
  const [x, y] = ["x", "y"].map((name) => Number(box.getAttribute(name)) * scale);
  if (x < place.scrollLeft || x + 150 > place.scrollLeft + place.clientWidth) place.scrollLeft = x - place.clientWidth / 2;
  if (y < place.scrollTop || y + 60 > place.scrollTop + place.clientHeight) place.scrollTop = y - place.clientHeight / 2;
}

/* As `visible`, but that lines stay lines. */
const visible2 = (text) => text.split("\n").map(visible).join("\n");

function faultElements(state) {
  return state.faults.map((fault) => make("li", { class: fault.isInherited ? "quiet" : "fault" },
    make("b", {}, `${fault.kind}: `), visible(fault.reason), fault.isInherited ? " (as in an annotator's graph)" : "",
    fault.isInherited ? [] : fault.repairs.map((repair) => [" ", make("button", { type: "button", onclick: () => mend(repair) }, repair.words)])));
}

function mend(repair) {
  if (repair.add) {
    byId("add").value = repair.add;
    byId("add").focus();
    say(`Say how it is attached, and press Enter: ${repair.add}`);
  } else if (repair.ask) {
    if (differenceOf(current.item, repair.ask) === null) return;
    current.key = repair.ask;
    show();
    say(spokenQuestion());
  } else decide(repair.key, repair.choice, repair.words);
}

function annotatorElement(graph, k) {
  return make("figure", {}, make("figcaption", {}, label(batch.annotators[k]), k === current.item.pivot ? " (the others are mapped to it)" : ""),
    graph.error === null ? [] : make("p", { class: "alarm" }, visible(graph.error)),
    make("ul", { class: "small" }, graph.faults.map(([kind, reason]) => make("li", {}, `${kind}: `, visible(reason)))),
    make("pre", { tabindex: 0, dir: "ltr" }, visible2(graph.text)));
}
