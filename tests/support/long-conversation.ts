// Five hundred messages as a real conversation has them: words, code, output, a table.
import { v7 } from "uuid";
import { insertConversation } from "#db/queries/conversations.ts";
import { replaceMessages } from "#db/queries/messages.ts";
import type { ChatMessage } from "#lib/chats/chat-message.ts";
import { databaseOf } from "./people.ts";

/** Gives back its id. */
export async function longConversation(dataDir: string, userId: string, count = 500): Promise<string> {
  const { db } = await databaseOf(dataDir);
  const id = await insertConversation(db, userId);
  const add = Array.from({ length: count }, (_, n) => {
    const parts = n % 2 === 0 ? question(n) : answer(n);
    return {
      id: v7({ msecs: Date.now() - 1_000_000 + n }),
      role: n % 2 === 0 ? "user" : "assistant",
      status: "done",
      parts: JSON.stringify(parts),
      body: `message ${n}`,
      createdAt: new Date(),
      ...(n % 2 === 1 && { model: "local/echo" }),
    };
  });
  await replaceMessages(db, userId, id, { add, title: "A long one" });
  return id;
}

function question(n: number): ChatMessage["parts"] {
  return [{ type: "text", text: `Question number ${n}: what are the next squares, and how do they grow?` }];
}

function answer(n: number): ChatMessage["parts"] {
  const code = Array.from(
    { length: 12 },
    (_, line) => `total_${line} = sum(i * i for i in range(${n + line}))`,
  );
  const cells = Array.from({ length: 5 }, (_, row) => `<tr><th>${row}</th><td>${row * n}</td></tr>`).join("");
  return [
    { type: "step-start" },
    { type: "text", text: "I compute them.", state: "done" },
    {
      type: "dynamic-tool",
      toolName: "execute_python",
      toolCallId: `call-${n}`,
      state: "output-available",
      input: { code: code.join("\n") },
      output: {
        execution_id: v7(),
        status: "completed",
        exit_code: 0,
        stderr: "",
        truncated: false,
        duration_ms: 12,
        artifacts: [],
        session: "default",
        restarted: false,
        stdout: Array.from({ length: 40 }, (_, line) => `line ${line}: ${"#".repeat(line)}`).join("\n"),
        results: [{ mime: "text/html", text: `<table><tbody>${cells}</tbody></table>` }],
      },
    },
    { type: "step-start" },
    {
      type: "text",
      state: "done",
      text: `### Answer number ${n}\n\nThey grow **quadratically**, as $n^2$ does:\n\n- the sum of the first $n$ is $\\frac{n(n+1)(2n+1)}{6}$\n- so ten times as many are a thousand times as much\n\n\`\`\`python\nprint(sum(i * i for i in range(${n})))\n\`\`\`\n`,
    },
  ];
}
