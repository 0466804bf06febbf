// Folding of pattern trees; "/" to search, "n" and "p" to the next and the previous one. Everything else works without this file.
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
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("find").focus();
  }
  const way = { n: "next", p: "prev" }[event.key];
  if (way) document.querySelector(`a[rel=${way}]`)?.click();
});
