// Which view is open

async function route() {
  if (location.hash.length > 1 && !location.hash.startsWith("#id=")) return; // within what is open
  const wanted = wantedPair();
  if (wanted !== null) return openPair(wanted);
  closePair();
}

/* The pair in the address; null for the overview, which a page of one pair lacks. */
function wantedPair() {
  if (location.hash.startsWith("#id=")) return readAddress(location.hash.slice(4));
  return page.rows.length === 1 ? page.rows[0].id : null;
}

function readAddress(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function closePair() {
  const last = current?.k;
  current = null;
  document.title = visible(page.title);
  byId("pair").hidden = true;
  byId("pair").replaceChildren();
  byId("overview").hidden = false;
  byId("intro").hidden = false;
  const row = last === undefined ? null : document.querySelector(`tr[data-pair="${last}"] a`);
  row?.focus();
}

async function openPair(id) {
  const k = rowOf.get(id);
  let pair = null;
  let problem = `There is no pair ${isolated(id, 200)} on this page.`;
  try {
    if (k !== undefined) pair = await pairOf(k);
  } catch (error) {
    problem = error.message;
  }
  if (wantedPair() !== id) return; // something else has been asked for meanwhile
  byId("overview").hidden = true;
  byId("intro").hidden = page.rows.length > 1;
  byId("pair").hidden = false;
  current = pair && { k, pair, proven: provenPartner(pair), partner: provenPartner(pair), zoom: null };
  document.title = visible(id) + " – " + visible(page.title);
  showPair(id, problem);
  window.scrollTo(0, 0);
  byId("pair-title").focus({ preventScroll: true });
}

function neighbour(step) {
  const order = table.order.includes(current?.k) ? table.order : page.rows.map((_, k) => k);
  const k = order[order.indexOf(current?.k) + step];
  return k === undefined ? null : page.rows[k];
}

function go(row) {
  if (row) location.hash = address(row.id);
}

function toOverview() {
  if (page.rows.length > 1) location.hash = "";
}

function onKey(event) {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping || byId("pair").hidden) return;
  if (event.key === "n") go(neighbour(1));
  else if (event.key === "p") go(neighbour(-1));
  else if (event.key === "Escape") toOverview();
}
