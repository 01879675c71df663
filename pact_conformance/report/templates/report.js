// Filters the entries of a page, opens what a link points into, and copies commands.
// The page holds everything without it; nothing a subject said ever becomes markup here.
"use strict";
(() => {
  const FACETS = ["level", "section", "role", "profile"];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = document.querySelector(".filter");
  const entries = all("[data-entry]");
  const groups = all("[data-group]");
  const cells = new Map(all(".cell").map((cell) => [cell.hash.slice(1), cell]));
  const texts = new Map();
  const text = (entry) => {
    if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
    return texts.get(entry);
  };
  let opened = [];

  const wanted = () => {
    const data = new FormData(form);
    const words = data.get("words").toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = data.getAll("verdict");
    const facets = FACETS.filter((name) => data.get(name));
    const any = words.length || verdicts.length || facets.length;
    return any && ((entry) =>
      (!verdicts.length || verdicts.includes(entry.dataset.verdict)) &&
      facets.every((name) => data.get(name) === entry.dataset[name]) &&
      words.every((word) => text(entry).includes(word)));
  };

  const apply = () => {
    const matches = wanted();
    let count = 0;
    for (const entry of entries) {
      entry.hidden = Boolean(matches) && !matches(entry);
      count += !entry.hidden;
      cells.get(entry.id)?.classList.toggle("away", entry.hidden);
    }
    for (const details of opened) details.open = false;
    opened = [];
    for (const group of groups) {
      group.hidden = Boolean(matches) && !group.querySelector("[data-entry]:not([hidden])");
      if (matches && !group.hidden && group.tagName === "DETAILS" && !group.open) {
        group.open = true;
        opened.push(group);
      }
    }
    form.querySelector("output").textContent = matches
      ? `${count} of ${entries.length} ${form.dataset.noun}`
      : `${entries.length} ${form.dataset.noun}`;
  };

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      form.reset();
      apply();
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({ block: "start" });
    (target.querySelector(":scope > summary") ?? target).focus({ preventScroll: true });
  };

  const addCopy = (figure) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const pre = figure.querySelector("pre");
      try {
        await navigator.clipboard.writeText(pre.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(pre);
      }
    });
    figure.querySelector("figcaption").append(button);
  };

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  all(".curl").forEach(addCopy);
  addEventListener("hashchange", reveal);
  addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "/" || !plain || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    form.elements.words.focus();
  });
  addEventListener("beforeprint", () => all(".lack").forEach((it) => { it.open = true; }));
  apply();
  reveal();
})();
