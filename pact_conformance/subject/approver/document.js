// What there is to read, fill and press in a live document. Called with every control of it, in the
// order in which they are numbered; the result is what `live.py` makes a page of.
(controls) => {
  const visible = (node) =>
    node.checkVisibility ? node.checkVisibility({ visibilityProperty: true }) : node.offsetParent !== null;
  const said = (node) => (node ? (node.innerText ?? node.textContent ?? "").trim() : "");
  const byId = (node, ids) => (ids || "").split(/\s+/).filter(Boolean)
    .map((id) => said(node.getRootNode().getElementById?.(id))).join(" ");
  const ticks = (node) => ["checkbox", "switch"].includes(node.getAttribute("role"));
  const kind = (node) => {
    if (node instanceof HTMLInputElement || node instanceof HTMLButtonElement) return node.type;
    if (node instanceof HTMLSelectElement) return "select";
    if (node instanceof HTMLTextAreaElement) return "textarea";
    return ticks(node) ? "checkbox" : "button";
  };
  const label = (node) => {
    const type = kind(node);
    if (["submit", "button", "image", "reset"].includes(type))
      return said(node) || node.value || node.getAttribute("aria-label") || node.alt || "";
    const texts = [...(node.labels ?? [])].map(said);
    if (ticks(node) && !node.labels) texts.push(said(node));
    texts.push(byId(node, node.getAttribute("aria-labelledby")));
    return texts.filter(Boolean).join(" ") || node.getAttribute("aria-label") || node.placeholder || "";
  };
  const around = (node) => {
    let found = "";
    for (let above = node.parentElement; above; above = above.parentElement) {
      if (["FORM", "BODY", "FIELDSET", "TABLE", "MAIN"].includes(above.tagName)) break;
      if (controls.filter((other) => above.contains(other)).length > 1) break;
      found = said(above);
    }
    return `${found} ${byId(node, node.getAttribute("aria-describedby"))}`.trim();
  };
  const forms = [...new Set(controls.map((node) => node.form ?? node.closest("form")).filter(Boolean))];
  return {
    url: location.href,
    text: said(document.body),
    forms: forms.map((form) => ({
      action: new URL(form.getAttribute("action") || location.href, document.baseURI).href,
      method: (form.getAttribute("method") || "get").toLowerCase(),
    })),
    fields: controls.map((node) => {
      const form = node.form ?? node.closest("form");
      const type = kind(node);
      return {
        form: form ? forms.indexOf(form) : null,
        kind: type,
        name: node.getAttribute("name") ?? "",
        value: node.value ?? node.getAttribute("data-value") ?? "",
        id: node.id ?? "",
        label: label(node),
        around: ["checkbox", "radio"].includes(type) ? around(node) : "",
        autocomplete: node.getAttribute("autocomplete") ?? "",
        checked: node.checked ?? node.getAttribute("aria-checked") === "true",
        disabled: node.matches(":disabled") || node.getAttribute("aria-disabled") === "true",
        readonly: node.readOnly ?? false,
        required: node.required ?? false,
        shown: type !== "hidden" && (visible(node) || [...(node.labels ?? [])].some(visible)),
      };
    }),
  };
}
