"use strict";
// What was sent is kept in the browser, with its key, until its receipt is known. An answer
// that does not come is never taken for "not saved": the receipt is asked for by the key,
// and what is sent again is the same, under the same key. Several may be on their way at
// once. A browser may have several people: keys are those of a member, and whoever else is
// in neither sees nor sends what another has left.
(() => {
  const store = "ichido.pending";
  const me = document.body.dataset.member;
  const ja = document.body.dataset.lang !== "en";
  const say = (j, e) => ja ? j : e;
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const form = document.getElementById("entry");
  const box = document.getElementById("pending");

  // The entries that are on their way, by key. A private window may have no store: then
  // they are here only.
  let kept = {};
  const load = () => { try { kept = JSON.parse(localStorage.getItem(store)) || {}; } catch { /* as it is here */ } return kept; };
  const save = () => { try { localStorage.setItem(store, JSON.stringify(kept)); return localStorage.getItem(store) !== null; } catch { return false; } };
  const keep = p => { load(); kept[p.key] = p; return save(); };
  const forget = key => { load(); delete kept[key]; save(); };

  // show puts words into the box of an entry, and behind them links and buttons.
  function show(p, words, ...more) {
    let one = document.getElementById("pending-" + p.key);
    if (!one) {
      one = document.createElement("div");
      one.id = "pending-" + p.key;
      box.append(one);
    }
    one.replaceChildren(words);
    if (more.length) { const line = document.createElement("p"); line.append(...more); one.append(line); }
    box.hidden = false;
  }

  function hide(p) {
    document.getElementById("pending-" + p.key)?.remove();
    box.hidden = !box.childElementCount;
  }

  function link(words, to) {
    const a = document.createElement("a");
    a.href = to;
    a.textContent = words;
    return a;
  }

  function button(words, act) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = words;
    b.addEventListener("click", act, {once: true});
    return b;
  }

  // again and drop are what one can do with an entry that has no receipt.
  function choices(p) {
    const again = button(say("同じ内容を送る", "Send the same"), () => send(p));
    again.className = "main";
    return [again, " ", button(say("送るのをやめる", "Give it up"), () => {
      forget(p.key);
      show(p, say("送るのをやめました。記録されていないとは限りません。「最近の記録」で確かめてください。", "Given up. That does not mean that nothing is recorded: please look at the latest entries."),
        button(say("閉じる", "Close"), () => hide(p)));
    })];
  }

  // request is fetch with an end.
  async function request(path, options, ms) {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), ms);
    try { return await fetch(path, {...options, signal: end.signal}); } finally { clearTimeout(timer); }
  }

  async function ask(key) {
    try {
      const r = await request("/receipts/" + encodeURIComponent(key), {headers: {Accept: "application/json"}, cache: "no-store"}, 8000);
      if (r.status === 401) return {state: "out"};
      if (![200, 202, 404].includes(r.status)) return {state: "unreachable"};
      return await r.json();
    } catch { return {state: "unreachable"}; }
  }

  const under = p => { if (form && form.elements.key.value === p.key) form.hidden = true; }; // what the form said is on its way

  // settle finds out what has become of what was sent.
  async function settle(p) {
    under(p);
    for (let pause = 1000; ; pause = Math.min(pause * 1.5, 15000)) {
      const answer = await ask(p.key);
      switch (answer.state) {
      case "found":
        forget(p.key);
        show(p, say(`受付 ${answer.receipt} で記録済みです。`, `It is recorded as No. ${answer.receipt}.`), link(say("受付を見る", "See it"), "/receipts/" + p.key));
        return;
      case "out":
        show(p, say("入り直してください。LINEで「ウェブ」と送ると、入るためのリンクが届きます。", "Please get in again: send “web” in LINE.") +
          (keep(p) ? say("送った内容は、このブラウザに残っています。", " What you sent is kept in this browser.")
            : say(`このブラウザは内容を覚えておけません：「${p.fields.item} ${p.fields.amount}円」`, ` This browser can’t keep it: “${p.fields.item} ¥${p.fields.amount}”.`)));
        return;
      case "not found":
        show(p, say(`「${p.fields.item} ${p.fields.amount}円」の受付は、まだありません。記録されていない証拠ではありません。もう一度送っても、二重にはなりません。`,
          `There is no receipt yet for “${p.fields.item} ¥${p.fields.amount}”. That does not prove that nothing is recorded. Sent again, it will not count twice.`), ...choices(p));
        return;
      case "in progress":
        show(p, say("いま記録しています。", "It is being recorded."));
        break;
      default:
        show(p, say("返事が届きません。記録されたかどうかを、確かめています。", "No answer has come. I am finding out whether it is recorded."));
      }
      await wait(pause);
    }
  }

  // openAnswer sends the form as a browser does, to show the page with the server's answer.
  function openAnswer(p) {
    const f = document.createElement("form");
    f.method = "post";
    f.action = "/entries";
    for (const [name, value] of Object.entries(p.fields)) {
      const i = document.createElement("input");
      i.type = "hidden"; i.name = name; i.value = value;
      f.append(i);
    }
    document.body.append(f);
    f.submit();
  }

  // send brings the same to the server, as often as it must.
  async function send(p) {
    keep(p);
    under(p);
    show(p, say("送っています。", "Sending."));
    try {
      const r = await request("/entries", {method: "POST", body: new URLSearchParams(p.fields)}, 15000);
      switch (r.status) {
      case 200:
        if (new URL(r.url).pathname.startsWith("/receipts/")) {
          forget(p.key);
          location.assign(r.url);
          return;
        }
        break;
      case 400: case 409: case 422: // nothing was recorded of this
        forget(p.key);
        openAnswer(p);
        return;
      case 403: case 413: case 429: case 503: { // the server says why
        const page = new DOMParser().parseFromString(await r.text(), "text/html");
        show(p, page.querySelector("[role=alert]")?.textContent || say("いまは送れませんでした。", "It could not be sent now."), ...choices(p));
        return;
      }
      }
    } catch { /* the answer was lost, or the request */ }
    await settle(p);
  }

  if (form) {
    form.dataset.ready = "yes"; // until then the browser sends it by itself
    form.addEventListener("submit", event => {
      event.preventDefault();
      if (form.dataset.sent) return; // a double click
      form.dataset.sent = "yes";
      const fields = Object.fromEntries(new FormData(form));
      send({key: fields.key, member: me, fields});
    });
  }
  // narrow leaves the categories that an entry of the chosen type can have.
  const groups = form ? [...form.elements.category.querySelectorAll("optgroup")] : [];
  function narrow() {
    for (const g of groups) {
      if (g.dataset.types.split(" ").includes(form.elements.type.value)) form.elements.category.append(g); else g.remove();
    }
  }
  if (form) {
    form.querySelector(".types").addEventListener("change", narrow);
    if (!form.elements.category.value) narrow();
  }

  addEventListener("pageshow", event => { if (event.persisted) location.reload(); }); // as it was when it was left
  if (document.getElementById("receipt")) forget(decodeURIComponent(location.pathname.split("/").pop()));
  if (box) Object.values(load()).filter(p => p.member === me && p.fields).forEach(settle);
})();
