/** The language of a message that is run as it is, without a model; the server decides the same way. */
export function directLanguage(text: string): "bash" | "python" | undefined {
  const given = text.trim();
  if (/^!\s*\S/.test(given)) return "bash";
  if (/^>>>\s*\S/.test(given)) return "python";
  const [, , name = "", code = ""] = /^(```|~~~)([\w+-]*)[ \t]*\n([\s\S]*?)\n?\1$/.exec(given) ?? [];
  if (!code.trim()) return undefined;
  if (["bash", "sh", "shell", "console"].includes(name.toLowerCase())) return "bash";
  return ["", "python", "py", "python3"].includes(name.toLowerCase()) ? "python" : undefined;
}
