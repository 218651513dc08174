// A service worker: after the first visit the page works without its server.
//
// As long as the server answers, its answers are used, also for what the browser would take from its own cache, so that nobody
// sees an old page. Files are stored by their name and a digest of their content: a new version of this file stores what has
// changed and deletes what it does not list. Requests for anything else than the page's own files are left to the browser.
//
// A worker belongs to an address, and on this machine a port is soon used by another program. So whenever a page is opened and
// the server no longer has this file, the worker removes itself and the files that it has stored.
const FILES = @FILES@; // stored at once, by their digests
const LATER = @LATER@; // of games that the server solves when they are chosen: stored then, by the digest of this version

const DIGESTS = new Map(Object.entries({ ...FILES, ...LATER }));
const HOME = new URL(".", self.location);
const CACHE = `pigevo page ${HOME.pathname}`; // several pages may lie on one host
const GONE = [404, 410];

function nameOf(address) {
  const { origin, pathname } = new URL(address);
  return origin === HOME.origin && pathname.startsWith(HOME.pathname) ? pathname.slice(HOME.pathname.length) || "index.html" : "";
}

function keyOf(name) {
  return new URL(`${name}?${DIGESTS.get(name)}`, HOME).href;
}

async function digestOf(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Store a file of this version, unless it is stored already. */
async function store(cache, name) {
  if (await cache.match(keyOf(name))) return;
  const answer = await fetch(new URL(name === "index.html" ? "" : name, HOME), { cache: "no-cache" });
  const digest = await digestOf(await answer.clone().arrayBuffer());
  if (!answer.ok || digest !== FILES[name]) throw new Error(`${name} is not of this version.`);
  await cache.put(keyOf(name), answer);
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.keys(FILES).map((name) => store(cache, name)));
  await self.skipWaiting();
}

async function activate() {
  const cache = await caches.open(CACHE);
  const listed = new Set([...DIGESTS.keys()].map(keyOf));
  const old = (await cache.keys()).filter(({ url }) => !listed.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
  await self.clients.claim();
}

/** The answer of the server, or what is stored if there is none. */
async function answer(request, name) {
  let fresh;
  try {
    fresh = await fetch(request, { cache: "no-cache" });
  } catch (error) {
    const stored = await (await caches.open(CACHE)).match(keyOf(name));
    if (stored) return stored;
    throw error;
  }
  if (fresh.ok && Object.hasOwn(LATER, name)) await keep(name, fresh.clone());
  return fresh;
}

/** Store an answer, if there is room. */
async function keep(name, fresh) {
  try {
    await (await caches.open(CACHE)).put(keyOf(name), fresh);
  } catch {
    // the answer is shown all the same
  }
}

/** Remove this worker and what it has stored, if the server has another page. */
async function leaveIfGone() {
  const answer = await fetch(self.location, { method: "HEAD", cache: "no-store" }).catch(() => null);
  const isPage = answer?.ok && !answer.headers.get("Content-Type")?.includes("javascript"); // servers of one page answer all requests with it
  if (!GONE.includes(answer?.status) && !isPage) return;
  await self.registration.unregister();
  await caches.delete(CACHE);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request.url);
  if (event.request.mode === "navigate") event.waitUntil(leaveIfGone());
  if (event.request.method === "GET" && DIGESTS.has(name)) event.respondWith(answer(event.request, name));
});
