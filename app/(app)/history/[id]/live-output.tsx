"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Notice } from "#app/_components/notice.tsx";
import { usePoll } from "#app/_http/queries.tsx";
import { Terminal } from "#app/_results/terminal.tsx";

const EVERY_MS = 1_000;

/** The output so far, and the finished page once it has ended. */
export function LiveOutput({ id }: { id: string }) {
  const router = useRouter();
  const { data, problem } = usePoll<{ status: string; stdout: string; stderr: string }>(
    `/api/history/${id}`,
    EVERY_MS,
  );
  const over = data !== undefined && data.status !== "running" && data.status !== "queued";

  useEffect(() => {
    if (!over) return;
    router.refresh();
    // Its end is written down a moment after it is known.
    const timer = setInterval(() => router.refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }, [over, router]);

  return (
    <>
      {problem && <Notice kind="problem">{problem}</Notice>}
      <Terminal
        stdout={data?.stdout ?? ""}
        stderr={data?.stderr ?? ""}
        live={!over}
        className="overflow-hidden rounded-lg border"
      />
    </>
  );
}
