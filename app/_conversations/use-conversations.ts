"use client";

import { useSyncExternalStore } from "react";
import { conversations } from "./conversations.ts";

export function useConversations() {
  return useSyncExternalStore(conversations.subscribe, conversations.state, conversations.stateOnServer);
}
