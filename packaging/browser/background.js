// Sends the page of the tab, or the words selected in it, to Bellek on this computer. What cannot
// be delivered because Bellek is closed waits in the browser and is sent later.

const PORTS = [41573, 41574, 41575]; // As in desktop/sessions/browser_button.py
const MOST_WAITING = 50; // Pages
const NEXT_TRY = "next try";
const REFUSED = 401; // By a Bellek with which this browser is not paired
const FAILED = 500;

let line = Promise.resolve(); // One after another, so that none is sent twice
const inTurn = (work) => (line = line.then(work, work));

/** Runs in the page: returns what is sent of it. */
function readPage() {
  const selected = getSelection();
  const isSelection = selected !== null && selected.toString().trim() !== "";
  const page = document.documentElement.cloneNode(true);
  if (isSelection) {
    const article = document.createElement("article");
    for (let i = 0; i < selected.rangeCount; i += 1) {
      article.append(selected.getRangeAt(i).cloneContents());
    }
    page.querySelector("body").replaceChildren(article);
  }
  for (const part of page.querySelectorAll("script, style, noscript, iframe, input, textarea")) {
    if (part.type !== "application/ld+json") part.remove(); // Nothing that was typed is sent
  }
  return { address: location.href, html: page.outerHTML, selection: isSelection };
}

async function show(badge, title) {
  await chrome.action.setBadgeText({ text: badge });
  await chrome.action.setTitle({ title });
}

/** Return the first answer of a Bellek that wants it; null if none runs. */
async function ask(path, fields, token) {
  let refused = null;
  for (const port of PORTS) {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const body = JSON.stringify(fields);
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
      if (answer.ok || answer.status === 413 || answer.status === 422) return answer;
      refused = answer;
    } catch {
      // Nobody listens there.
    }
  }
  return refused;
}

async function openPairing() {
  await show("…", chrome.i18n.getMessage("notPaired"));
  await chrome.runtime.openOptionsPage();
}

async function deliver() {
  const { token = "", waiting = [] } = await chrome.storage.local.get(["token", "waiting"]);
  while (token && waiting.length > 0) {
    const answer = await ask("/pages", waiting[0], token);
    if (answer === null || answer.status >= FAILED) break;
    if (answer.status === REFUSED) return openPairing();
    const { title = "", error = "" } = await answer.json().catch(() => ({}));
    waiting.shift();
    await chrome.storage.local.set({ waiting });
    if (answer.ok) await show("✓", chrome.i18n.getMessage("added", title));
    else await show("!", error || chrome.i18n.getMessage("refused"));
  }
  if (waiting.length > 0) {
    await show(String(waiting.length), chrome.i18n.getMessage("waits"));
    await chrome.alarms.create(NEXT_TRY, { periodInMinutes: 1 });
  } else {
    await chrome.alarms.clear(NEXT_TRY);
  }
}

async function send(tab) {
  let page;
  try {
    [{ result: page }] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: readPage });
  } catch {
    return show("!", chrome.i18n.getMessage("notReadable"));
  }
  const { token = "", waiting = [] } = await chrome.storage.local.get(["token", "waiting"]);
  if (waiting.length >= MOST_WAITING) return show("!", chrome.i18n.getMessage("tooMany"));
  await chrome.storage.local.set({ waiting: [...waiting, page] });
  return token ? deliver() : openPairing();
}

/** Return whether the code was right; null if no Bellek runs. */
async function pair(code) {
  const answer = await ask("/pair", { code }, "");
  if (answer === null || !answer.ok) return answer && false;
  await chrome.storage.local.set({ token: (await answer.json()).token });
  await show("", chrome.i18n.getMessage("send"));
  inTurn(deliver);
  return true;
}

chrome.action.onClicked.addListener((tab) => void inTurn(() => send(tab)));
chrome.alarms.onAlarm.addListener(() => void inTurn(deliver));
chrome.runtime.onStartup.addListener(() => void inTurn(deliver));
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (sender.id !== chrome.runtime.id || typeof message.code !== "string") return false;
  void pair(message.code).then(reply);
  return true;
});
