// Finds out in this very browser whether `Connection-Allowlist` is enforced. A peer connection is told to ask Cove's own
// address for a relay, over TCP, where a web server answers nonsense and the browser reports a failed attempt. Under the
// header there must be no attempt, and so nothing to report: gathering is complete at once, and nothing went wrong.
import { createHash } from "node:crypto";
import { NO_CONNECTIONS, PREVIEW_POLICY } from "./frame-policies.ts";

/** `control` has no header and shows that an attempt would be noticed; `probe` has it, and is asked for UDP as well. */
export type Probe = "control" | "probe";

export function probeResponse(probe: Probe): Response {
  const html = `<!doctype html><script>${script(probe)}</script>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // The same as a page's, so that what is seen holds for pages.
      "content-security-policy": PREVIEW_POLICY,
      ...(probe === "probe" && NO_CONNECTIONS),
      "cache-control": "no-cache",
      etag: `"${createHash("sha256").update(html).digest("base64")}"`,
      "referrer-policy": "no-referrer",
    },
  });
}

function script(probe: Probe): string {
  const udp = probe === "probe" ? '"stun:" + server, ' : "";
  return `
const tell = (what) => parent.postMessage({ probe: what }, "*");
const secure = location.protocol === "https:";
const server = location.hostname + ":" + (location.port || (secure ? 443 : 80));
try {
  const connection = new RTCPeerConnection({ iceServers: [{
    urls: [${udp}(secure ? "turns:" : "turn:") + server + "?transport=tcp"], username: "probe", credential: "probe" }] });
  connection.onicecandidateerror = () => tell("attempt");
  connection.onicecandidate = ({ candidate }) => {
    if (candidate?.candidate && candidate.type !== "host") tell("attempt");
  };
  connection.onicegatheringstatechange = () => { if (connection.iceGatheringState === "complete") tell("complete"); };
  connection.createDataChannel("probe");
  connection.createOffer().then((offer) => connection.setLocalDescription(offer)).catch(() => tell("failure"));
} catch { tell("failure"); }`;
}
