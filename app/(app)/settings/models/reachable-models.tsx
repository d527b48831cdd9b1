import { listModels } from "#lib/models/list-models.ts";

export async function ReachableModels({ userId }: { userId: string }) {
  const { models, default: first, reason } = await listModels(userId);
  if (models.length === 0) {
    return <p className="rounded-lg border border-dashed px-4 py-4 text-muted text-sm">{reason}</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <ul tabIndex={0} className="flex max-h-72 flex-wrap gap-1.5 overflow-y-auto">
      {models.map(({ id, label }) => (
        <li
          key={id}
          title={id}
          className="flex items-center gap-2 rounded-md border bg-surface px-2.5 py-1 text-sm"
        >
          <span>{label}</span>
          {id === first && <span className="text-accent text-xs">first choice</span>}
        </li>
      ))}
    </ul>
  );
}
