// Set up the page

function start() {
  introduce();
  tableHead();
  arrange();
  const narrow = () => { table.limit = ROWS_AT_ONCE; arrange(); };
  byId("find").addEventListener("input", narrow);
  byId("which").addEventListener("change", narrow);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("by-kind").addEventListener("change", (event) => byId("pairs").classList.toggle("by-kind", event.target.checked));
  byId("more").addEventListener("click", () => { table.limit += ROWS_AT_ONCE; showRows(); });
  byId("pair").addEventListener("pointerover", onPoint);
  byId("pair").addEventListener("focusin", onPoint);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", route);
  window.addEventListener("resize", arrangeDrawings);
  route();
  introduceProofs();
}

start();
