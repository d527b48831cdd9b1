import type { Metadata } from "next";
import { requirePageUser } from "#app/_http/guards.ts";
import { Files } from "./files.tsx";

export const metadata: Metadata = { title: "Files" };

export default async function FilesPage() {
  await requirePageUser();
  return <Files />;
}
