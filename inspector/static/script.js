// Folding of pattern trees, and "/" to search. Everything else works without this file.
"use strict";

document.querySelectorAll(".tools").forEach((tools) => {
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const how = event.target.dataset.fold;
    if (!how) return;
    document.querySelectorAll(".tree details").forEach((part, at) => {
      part.open = how === "open" || at === 0 || (how === "fields" && "field" in part.dataset);
    });
  });
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    document.getElementById("find").focus();
  }
});
