// The page asks again and again for what has changed and puts it in; what is pressed is
// posted. Requests of the page, beside its own address: GET look, POST say, edit, unsend, send, tap, menu,
// switch.
"use strict";
const place = id => document.getElementById(id);
const address = new URLSearchParams(location.search);
const chat = place("chat"), text = place("text"), mode = place("mode");
let about = null; // {verb, id}: the message that is quoted or edited
let etag = "", busy = false, again = false;

const speaker = () => {
  const form = place("speaker");
  return form ? {who: form.who.value, where: form.where.value}
    : {who: address.get("who") || "", where: address.get("where") || ""};
};

// style applies declarations that the server has checked: its policy lets none stand in the HTML.
const style = node => {
  for (const e of [node, ...node.querySelectorAll("[data-css]")]) {
    if (e.dataset.css) e.style.cssText = e.dataset.css;
  }
};

// put replaces what is new in a part, so that focus and what is read aloud stay with the rest.
const put = (target, html) => {
  const t = document.createElement("template");
  t.innerHTML = html;
  const next = [...t.content.children];
  next.forEach((node, i) => {
    const old = target.children[i], source = node.outerHTML;
    if (old && old.source === source) return;
    node.source = source;
    style(node);
    const focused = old && old.contains(document.activeElement) && document.activeElement;
    if (old) old.replaceWith(node); else target.append(node);
    if (focused) refocus(node, focused);
  });
  while (target.children.length > next.length) target.lastElementChild.remove();
};

const refocus = (node, was) => {
  const same = e => e.dataset.do === was.dataset.do && e.dataset.button === was.dataset.button && e.dataset.name === was.dataset.name;
  const found = [node, ...node.querySelectorAll("[data-do]")].find(same);
  if (found && found.dataset.do) found.focus();
};

const look = async () => {
  if (busy) { again = true; return; }
  busy = true;
  try {
    const query = new URLSearchParams({...speaker(), first: address.get("first") || ""});
    const answer = await fetch("look?" + query, {headers: etag ? {"If-None-Match": etag} : {}, cache: "no-store"});
    if (answer.status === 200) {
      etag = answer.headers.get("ETag") || "";
      const parts = await answer.json();
      const low = chat.scrollHeight - chat.scrollTop - chat.clientHeight < 80;
      const before = chat.children.length;
      for (const [id, html] of Object.entries(parts)) if (place(id)) put(place(id), html);
      if (place("log")) place("log").scrollTop = place("log").scrollHeight;
      if (low || chat.children.length !== before) chat.scrollTop = chat.scrollHeight;
    }
  } catch { etag = ""; }
  busy = false;
  if (again) { again = false; look(); }
};

const post = async (path, values) => {
  const body = new URLSearchParams({...speaker(), ...values});
  const error = place("error");
  try {
    const answer = await fetch(path, {method: "POST", body});
    if (error) error.textContent = answer.ok ? "" : await answer.text();
  } catch { if (error) error.textContent = "ichido chat は終わりました"; }
  look();
};

const turn = (verb, id, words) => {
  about = verb ? {verb, id} : null;
  mode.hidden = !verb;
  place("mode-text").textContent = verb ? words : "";
  text.focus();
};

const say = () => {
  const words = text.value.replace(/\s+$/, "");
  if (!words) return;
  if (about && about.verb === "edit") post("edit", {id: about.id, text: words});
  else post("say", {text: words, quote: about ? about.id : ""});
  text.value = "";
  turn("");
  grow();
};

const grow = () => {
  text.style.height = "auto";
  text.style.height = Math.min(text.scrollHeight, 120) + "px";
};

const acts = {
  tap: (e, id) => post("tap", {id, button: e.dataset.button}),
  quick: e => post("tap", {id: e.dataset.id, button: e.dataset.button, quick: "1"}),
  menu: e => post("menu", {button: e.dataset.button}),
  send: e => post("send", {kind: e.dataset.kind}),
  switch: e => post("switch", {name: e.dataset.name}),
  unsend: (e, id) => post("unsend", {id}),
  quote: (e, id) => turn("quote", id, "引用: " + (words(e) || "メッセージ")),
  edit: (e, id) => { text.value = words(e); turn("edit", id, "編集"); grow(); },
  cancel: () => turn(""),
  theme: () => {
    const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  },
};
const words = e => { const t = e.closest(".msg").querySelector(".text"); return t ? t.textContent : ""; };

const act = e => {
  const message = e.closest(".msg"), open = e.closest("details.more");
  acts[e.dataset.do](e, message ? message.dataset.id : "");
  if (open) open.open = false;
};

document.addEventListener("click", event => {
  const e = event.target.closest("[data-do]");
  if (e) act(e);
});
document.addEventListener("keydown", event => {
  const e = event.target;
  if (e.matches("[role=button][data-do]") && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    act(e);
  } else if (e === text && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    say();
  } else if (event.key === "Escape" && about) turn("");
});
place("say").addEventListener("submit", event => { event.preventDefault(); say(); });
text.addEventListener("input", grow);
if (place("speaker")) place("speaker").addEventListener("change", () => {
  location.search = new URLSearchParams({...speaker(), theme: document.documentElement.dataset.theme || ""});
});

for (const id of ["chat", "quick", "switches", "rows", "log"]) if (place(id)) {
  for (const node of place(id).children) node.source = node.outerHTML;
}
style(document.body);
chat.scrollTop = chat.scrollHeight;
look();
setInterval(() => document.hidden || look(), 700);
