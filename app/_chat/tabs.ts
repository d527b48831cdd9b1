/** Tells a person's other tabs that a conversation has changed, and hears it from them. */
export class Tabs {
  #channel = new BroadcastChannel("cove-conversations");

  constructor(onChange: (conversationId: string) => void) {
    this.#channel.onmessage = ({ data }) => onChange(String(data));
  }

  tell(conversationId: string): void {
    this.#channel.postMessage(conversationId);
  }

  close(): void {
    this.#channel.close();
  }
}
