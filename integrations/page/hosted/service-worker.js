// Keeps the page, so that a hosted copy works without a network. Each version of the page has its own cache.
"use strict";
const CACHE = "quakefs-{{version}}";
const FILES = ["./", "module.txt", "icon.svg", "manifest.webmanifest"];

addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));

async function removeOld() {
  for (const name of await caches.keys()) if (name.startsWith("quakefs-") && name !== CACHE) await caches.delete(name);
  await clients.claim();
}
addEventListener("activate", (event) => event.waitUntil(removeOld()));

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
