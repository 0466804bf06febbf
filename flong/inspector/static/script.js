// Pattern trees that fold; keys "/" (search), "n" and "p" (next and previous), "j", "k", "o" and "s" (articles of a list);
// marks without reloading; suggestions; corrections by a click in the page; live progress. Everything else works without this file.
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

const articles = [...document.querySelectorAll("a[data-article]")];
let at = -1;
articles.forEach((link, number) => link.addEventListener("focus", () => { at = number; }));
document.querySelectorAll(".keys").forEach((hint) => { hint.hidden = false; });

document.querySelectorAll("form.toggle").forEach((form) => {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const to = form.elements.to;
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
    if (answer.type !== "opaqueredirect") return location.reload();
    form.querySelector("button").setAttribute("aria-pressed", to.value !== "");
    to.value = to.value ? "" : "1";
  });
});
document.querySelector("[data-unread] form[data-mark=read]")?.requestSubmit();

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("find").focus();
  }
  const way = { n: "next", p: "prev" }[event.key];
  if (way) document.querySelector(`a[rel=${way}]`)?.click();
  if (event.key === "j") articles[at + 1]?.focus();
  if (event.key === "k") articles[at - 1]?.focus();
  if (event.key === "o") articles[at]?.click();
  const item = articles.length ? articles[at]?.closest("li, tr") : document;
  if (event.key === "s") item?.querySelector("form[data-mark=starred]")?.requestSubmit();
});

const find = document.getElementById("find");
find.addEventListener("input", async () => {
  const typed = find.value;
  const answer = await fetch(`/suggest.json?${new URLSearchParams({ q: typed })}`);
  if (!answer.ok || find.value !== typed) return;
  const words = await answer.json();
  document.getElementById("suggestions").replaceChildren(...words.map((word) => new Option(word, word)));
});

document.querySelectorAll(".pick").forEach((pick) => {
  const frame = document.querySelector("iframe.page");
  const chosen = () => pick.querySelector("input:checked").value;
  pick.querySelector("fieldset").hidden = false;
  const watch = () => {
    const page = frame.contentDocument;
    if (!page || !page.body || page.body.dataset.watched) return;
    page.body.dataset.watched = "1";
    // A fragment in its URL would scroll the view around it, too.
    const first = frame.dataset.at && page.getElementById(frame.dataset.at);
    if (first && !frame.contentWindow.location.hash) {
      frame.contentWindow.scrollTo(0, first.getBoundingClientRect().top - 60);
    }
    let shown = null;
    const show = (element) => {
      if (shown) shown.style.boxShadow = "";
      shown = element;
      if (shown) shown.style.boxShadow = "inset 0 0 0 2px #1d5a96, 0 0 0 4px #9cc7f2";
    };
    page.addEventListener("mouseover", (event) => show(event.target.closest("[data-flong~=block]")));
    page.addEventListener("mouseleave", () => show(null));
    page.addEventListener("click", (event) => {
      event.preventDefault();
      const block = event.target.closest("[data-flong~=block]");
      if (!block) return;
      const place = block.id.replace("flong-", "");
      location.assign(`/pages/${pick.dataset.page}/correct?what=${chosen()}&place=${place}`);
    });
  };
  frame.addEventListener("load", watch);
  watch();
});

document.querySelectorAll("[data-live]").forEach((live) => {
  const events = new EventSource(live.dataset.live);
  events.addEventListener("message", (event) => {
    const now = JSON.parse(event.data);
    for (const [name, value] of Object.entries(now.figures)) {
      const shown = live.querySelector(`[data-figure="${name}"]`);
      if (shown) shown.textContent = value;
    }
    const titles = live.querySelector("[data-titles]");
    if (titles) titles.replaceChildren(...now.titles.map((title) => {
      const line = document.createElement("li");
      line.dir = "auto";
      line.textContent = title;
      return line;
    }));
    const line = live.querySelector("[data-line]");
    if (line) line.textContent = now.line;
    const state = live.querySelector(".state");
    if (state && now.state) state.textContent = now.state;
    if (now.over) {
      events.close();
      location.reload();
    }
  });
});
