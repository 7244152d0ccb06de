// Code and wide tables scroll on their own: let the keyboard reach them.
addEventListener("load", () => {
  const reach = () => {
    for (const box of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
      box.tabIndex = 0;
    }
  };
  // The theme puts tables into boxes that scroll, at some time after this.
  new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
  reach();
});
