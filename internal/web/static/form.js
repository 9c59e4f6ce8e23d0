"use strict";
// What was sent is kept in the browser, with its key, until its receipt is known. An answer
// that does not come is never taken for "not saved": the receipt is asked for by the key,
// and what is sent again is the same, under the same key. Several may be on their way at
// once. A browser may have several people: keys are those of a member, and whoever else is
// in neither sees nor sends what another has left.
(() => {
  const store = "ichido.sent";
  const me = document.body.dataset.member;
  const ja = document.body.dataset.lang !== "en";
  const say = (j, e) => ja ? j : e;
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const form = document.getElementById("entry");
  const box = document.getElementById("pending");

  // The entries that are on their way, by what they say with their key: another tab may have
  // sent other things with the same key. A private window may have no store: then they are
  // here only.
  let kept = {};
  const load = () => { try { kept = JSON.parse(localStorage.getItem(store)) || {}; } catch { /* as it is here */ } return kept; };
  const save = () => { try { localStorage.setItem(store, JSON.stringify(kept)); return localStorage.getItem(store) !== null; } catch { return false; } };
  const name = p => JSON.stringify(p.fields);
  const keep = p => { load(); kept[name(p)] = p; return save(); };
  const forget = p => { load(); delete kept[name(p)]; save(); };

  // show puts words into the box of an entry, and behind them links and buttons.
  const boxes = new Map();
  function show(p, words, ...more) {
    if (!boxes.has(name(p))) {
      boxes.set(name(p), document.createElement("div"));
      box.append(boxes.get(name(p)));
    }
    const one = boxes.get(name(p));
    one.replaceChildren(words);
    if (more.length) { const line = document.createElement("p"); line.append(...more); one.append(line); }
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
    b.textContent = words;
    b.addEventListener("click", act, {once: true});
    return b;
  }

  // again and drop are what one can do with an entry that has no receipt.
  function choices(p) {
    const again = button(say("同じ内容を送る", "Send the same"), () => send(p));
    again.className = "main";
    return [again, " ", button(say("送るのをやめる", "Give it up"), () => {
      forget(p);
      show(p, say("送るのをやめました。記録されていないとは限りません。少したってから、受付を確かめてください。", "Given up. That does not mean that nothing is recorded: please look at the receipt in a while."),
        link(say("受付を確かめる", "Look at the receipt"), receipt(p)), " ", link(say("はじめから入力する", "Fill in a new form"), "/"));
    })];
  }

  // request is fetch with an end.
  async function request(path, options, ms) {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), ms);
    try { return await fetch(path, {...options, signal: end.signal}); } finally { clearTimeout(timer); }
  }

  const receipt = p => "/receipts/" + encodeURIComponent(p.key);

  async function ask(p) {
    try {
      const r = await request(receipt(p), {headers: {Accept: "application/json"}, cache: "no-store"}, 8000);
      if (r.status === 401) return {state: "out"};
      if (![200, 202, 404].includes(r.status)) return {state: "unreachable"};
      return await r.json();
    } catch { return {state: "unreachable"}; }
  }

  // post sends the entry. What comes is yes once it is recorded, no if it is not and won't
  // be, and nothing where that does not come out.
  async function post(p) {
    const r = await request("/entries", {method: "POST", body: new URLSearchParams(p.fields)}, 15000);
    if (r.status === 200 && new URL(r.url).pathname.startsWith("/receipts/")) return {yes: r.url};
    if ([400, 409, 422].includes(r.status)) return {no: r.status};
    if (![403, 413, 429, 503].includes(r.status)) return {};
    const page = new DOMParser().parseFromString(await r.text(), "text/html");
    return {later: page.querySelector("[role=alert]")?.textContent || say("いまは送れませんでした。", "It could not be sent now.")};
  }

  const under = p => { if (form && form.elements.key.value === p.key) form.hidden = true; }; // what the form said is on its way

  // settle finds out what has become of what was sent. A receipt may be that of other
  // content with the same key: only when the same is sent once more the server says so, and
  // that records nothing where there is a receipt.
  async function settle(p) {
    under(p);
    for (let pause = 1000; ; pause = Math.min(pause * 1.5, 15000)) {
      const answer = await ask(p);
      const mine = answer.state === "found" ? await post(p).catch(() => ({})) : {};
      if (mine.yes) {
        forget(p);
        show(p, say(`受付 ${answer.receipt} で記録済みです。`, `It is recorded as No. ${answer.receipt}.`), link(say("受付を見る", "See it"), mine.yes));
        return;
      }
      if (mine.no) {
        show(p, say(`「${p.fields.item} ${p.fields.amount}円」は記録していません。受付 ${answer.receipt} は、ほかの内容です。`,
          `“${p.fields.item} ¥${p.fields.amount}” is not recorded: No. ${answer.receipt} is something else.`),
          button(say("どうするか選ぶ", "Choose what to do"), () => { forget(p); openAnswer(p); }));
        return;
      }
      switch (answer.state) {
      case "out":
        show(p, say("入り直してください。LINEで「ウェブ」と送ると、入るためのリンクが届きます。", "Please get in again: send “web” in LINE.") +
          (keep(p) ? say("送った内容は、このブラウザに残っています。", " What you sent is kept in this browser.")
            : say(`このブラウザは内容を覚えておけません：「${p.fields.item} ${p.fields.amount}円」`, ` This browser can’t keep it: “${p.fields.item} ¥${p.fields.amount}”.`)));
        return;
      case "not found":
        show(p, say(`「${p.fields.item} ${p.fields.amount}円」の受付は、まだありません。記録されていない証拠ではありません。もう一度送っても、二重にはなりません。`,
          `There is no receipt yet for “${p.fields.item} ¥${p.fields.amount}”. That does not prove that nothing is recorded. Sent again, it will not count twice.`), ...choices(p));
        return;
      case "found":
        show(p, say(`受付 ${answer.receipt} があります。この内容のものかどうかを、確かめています。`, `There is receipt No. ${answer.receipt}. I am finding out whether it is of this.`));
        break;
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
    const answer = await post(p).catch(() => ({})); // it was lost, or the request
    if (answer.later) {
      show(p, answer.later, ...choices(p));
    } else if (answer.yes || answer.no) {
      forget(p);
      if (answer.yes) location.assign(answer.yes); else openAnswer(p);
    } else {
      await settle(p);
    }
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
  if (box) Object.values(load()).filter(p => p.member === me && p.fields).forEach(settle);
})();
