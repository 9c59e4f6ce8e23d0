"use strict";
// What was sent is kept in the browser, with its key, until its receipt is known. An answer
// that does not come is never taken for "not saved": the receipt is asked for by the key,
// and what is sent again is the same, under the same key.
(() => {
  const store = "ichido.pending";
  const ja = document.body.dataset.lang !== "en";
  const say = (j, e) => ja ? j : e;
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const form = document.getElementById("entry");
  const box = document.getElementById("pending");

  const pending = () => { try { return JSON.parse(localStorage.getItem(store)); } catch { return null; } };
  const keep = p => { try { localStorage.setItem(store, JSON.stringify(p)); } catch { /* a private window may have no store */ } };
  const forget = key => { if (pending()?.key === key) localStorage.removeItem(store); };

  // show puts words into the box, and behind them a link or a button.
  function show(words, more) {
    box.replaceChildren(words);
    if (more) { const p = document.createElement("p"); p.append(more); box.append(p); }
    box.hidden = false;
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
    b.className = "main";
    b.textContent = words;
    b.addEventListener("click", act, {once: true});
    return b;
  }

  async function ask(key) {
    try {
      const r = await fetch("/receipts/" + encodeURIComponent(key), {headers: {Accept: "application/json"}, cache: "no-store", signal: AbortSignal.timeout(8000)});
      if (r.status === 401) return {state: "out"};
      if (r.status >= 500) return {state: "unreachable"};
      return await r.json();
    } catch { return {state: "unreachable"}; }
  }

  // settle finds out what has become of what was sent.
  async function settle(p) {
    if (form && form.elements.key.value === p.key) form.hidden = true; // what it said is on its way
    for (let pause = 1000; ; pause = Math.min(pause * 1.5, 15000)) {
      const answer = await ask(p.key);
      switch (answer.state) {
      case "found":
        forget(p.key);
        show(say(`受付 ${answer.receipt} で記録済みです。`, `It is recorded as No. ${answer.receipt}.`), link(say("受付を見る", "See it"), "/receipts/" + p.key));
        return;
      case "out":
        show(say("入り直してください。送った内容は、このブラウザに残っています。LINEで「ウェブ」と送ると、入るためのリンクが届きます。", "Please get in again: send “web” in LINE. What you sent is kept in this browser."));
        return;
      case "not found":
        show(say(`「${p.fields.item} ${p.fields.amount}円」の受付は、まだありません。記録されていない証拠ではありません。もう一度送っても、二重にはなりません。`,
          `There is no receipt yet for “${p.fields.item} ¥${p.fields.amount}”. That does not prove that nothing is recorded. Sent again, it will not count twice.`),
          button(say("同じ内容を送る", "Send the same"), () => send(p)));
        return;
      case "in progress":
        show(say("いま記録しています。", "It is being recorded."));
        break;
      default:
        show(say("返事が届きません。記録されたかどうかを、確かめています。", "No answer has come. I am finding out whether it is recorded."));
      }
      await wait(pause);
    }
  }

  // send brings the same to the server, as often as it must.
  async function send(p) {
    keep(p);
    if (form && form.elements.key.value === p.key) form.hidden = true;
    show(say("送っています。", "Sending."));
    try {
      const r = await fetch("/entries", {method: "POST", body: new URLSearchParams(p.fields), signal: AbortSignal.timeout(15000)});
      if (r.ok && new URL(r.url).pathname.startsWith("/receipts/")) {
        forget(p.key);
        location.assign(r.url);
        return;
      }
      if (r.status === 409 || r.status === 422 || r.status === 400) {
        forget(p.key); // nothing was recorded of this; the page that says so is shown
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
        return;
      }
    } catch { /* the answer was lost, or the request */ }
    await settle(p);
  }

  if (form) {
    form.addEventListener("submit", event => {
      event.preventDefault();
      if (form.dataset.sent) return; // a double click
      form.dataset.sent = "yes";
      const fields = Object.fromEntries(new FormData(form));
      send({key: fields.key, fields});
    });
  }
  if (document.getElementById("receipt")) forget(decodeURIComponent(location.pathname.split("/").pop()));
  const left = pending();
  if (box && left?.key && left.fields) settle(left);
})();
