// The page on which the code that Bellek shows is entered.

for (const part of document.querySelectorAll("[data-text]")) {
  part.textContent = chrome.i18n.getMessage(part.dataset.text);
}
document.documentElement.lang = chrome.i18n.getUILanguage();

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = document.querySelector("#code").value.replaceAll(/\D/g, "");
  // Firefox asks for this; elsewhere it was granted when the extension was added.
  await chrome.permissions.request({ origins: ["http://127.0.0.1/*"] }).catch(() => false);
  const isPaired = await chrome.runtime.sendMessage({ code });
  const text = isPaired ? "paired" : isPaired === null ? "closed" : "wrongCode";
  document.querySelector("#result").textContent = chrome.i18n.getMessage(text);
});
