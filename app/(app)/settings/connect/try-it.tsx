"use client";

import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Section } from "#app/_components/page.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import { Terminal } from "#app/_results/terminal.tsx";

const COMMAND = 'echo "Hello from $(whoami) in $PWD"; python3 --version';

interface Answer {
  status: string;
  exit_code: number | null;
  stdout: string;
  stderr: string;
}

/** A call as a client makes it: through the token door, with the fresh token and nothing else. */
export function TryIt({ token }: { token: string | undefined }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();

  async function call(): Promise<void> {
    setPending(true);
    setProblem(undefined);
    try {
      const response = await fetch("/execute", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "execute_bash", arguments: { command: COMMAND } }),
      });
      const answer = await response.json();
      if (response.ok) setAnswer(answer);
      else setProblem(answer.error?.message ?? "It was refused.");
      // "last used" below knows of it now.
      router.refresh();
    } catch {
      setProblem("The server could not be reached.");
    }
    setPending(false);
  }

  return (
    <Section title="Try it" about="Runs execute_bash with your new token, exactly as a client does.">
      <div className="grid grid-cols-1 overflow-hidden rounded-lg border">
        <div className="flex items-center gap-3 bg-surface py-1.5 pr-1.5 pl-3.5">
          <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap font-mono text-xs">
            $ {COMMAND}
          </code>
          {answer && !pending && <StatusBadge status={answer.status} exitCode={answer.exit_code} />}
          <Button size="small" onClick={call} disabled={!token || pending} aria-busy={pending}>
            <Play className="size-3.5" aria-hidden /> {pending ? "Running…" : "Run"}
          </Button>
        </div>
        {answer && <Terminal stdout={answer.stdout} stderr={answer.stderr} className="border-t" />}
      </div>
      {!token && <p className="text-muted text-sm">Make a token first.</p>}
      {problem && <Notice kind="problem">{problem}</Notice>}
    </Section>
  );
}
