// Runs before anything of a page that code made, and takes away what could reach past the page's policy: peer connections, and
// every window that would bring them back. Where `Connection-Allowlist` is enforced it only keeps frames out, which crash
// Chromium there; elsewhere it makes what a click permits as little as can be.

/**
 * What a browser doesn't have or won't let go of is passed over: the policy and the header still hold it. Natives are kept
 * before the page can replace them. An iframe that appears is removed in the same turn, before its document
 * is there: a frame's navigation ends in a turn of its own.
 */
export const FIRST_SCRIPT = `(() => {
  const { apply, ownKeys } = Reflect;
  const fix = (target, name, value) => {
    try { Object.defineProperty(target, name, { value, writable: false, configurable: false }); } catch {}
  };
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection", "RTCIceTransport",
    "Worker", "SharedWorker", "WebTransport", "XSLTProcessor"]) fix(window, name, undefined);
  fix(window, "open", () => null);
  for (const name of ["write", "writeln", "open"]) fix(Document.prototype, name, () => undefined);
  for (const owner of [Element.prototype, ShadowRoot.prototype, Document, Document.prototype]) {
    for (const name of ownKeys(owner)) if (/HTMLUnsafe$/.test(String(name))) fix(owner, name, undefined);
  }
  const { remove, attachShadow } = Element.prototype;
  const { observe } = MutationObserver.prototype;
  const { item } = NodeList.prototype;
  const count = Object.getOwnPropertyDescriptor(NodeList.prototype, "length").get;
  const watch = (root, select) => {
    const look = () => {
      const frames = apply(select, root, ["iframe, frame, object, embed, fencedframe"]);
      for (let at = apply(count, frames, []); at > 0; at--) apply(remove, apply(item, frames, [at - 1]), []);
    };
    apply(observe, new MutationObserver(look), [root, { childList: true, subtree: true }]);
  };
  watch(document, Document.prototype.querySelectorAll);
  const selectInRoot = DocumentFragment.prototype.querySelectorAll;
  fix(Element.prototype, "attachShadow", function (options) {
    const root = apply(attachShadow, this, [{ ...options, clonable: false }]);
    watch(root, selectInRoot);
    return root;
  });
  document.currentScript.remove();
})();`;
