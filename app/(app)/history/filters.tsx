import { Choice } from "#app/_filters/choice.tsx";
import { SearchField } from "#app/_filters/search-field.tsx";
import { DOORS, OUTCOMES, TIMES } from "./labels.ts";
import { toolLabels } from "./tool-labels.ts";

export function Filters({
  conversations,
  day,
}: {
  conversations: { id: string; title: string }[];
  day?: string;
}) {
  const times = Object.entries(TIMES).map(([value, { label }]) => ({ value, label }));
  const chats = conversations.map(({ id, title }) => ({ value: id, label: title || "Untitled chat" }));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField label="Search code and output" className="w-full sm:w-64" />
      <Choice name="status" label="Outcome" any="Any outcome" options={options(OUTCOMES)} />
      <Choice name="tool" label="Tool" any="Any tool" options={options(toolLabels())} />
      <Choice name="door" label="Door" any="Any door" options={options(DOORS)} />
      <Choice
        name="time"
        label="Time"
        any="Any time"
        options={day ? [{ value: day, label: day }, ...times] : times}
      />
      {chats.length > 0 && (
        <Choice name="conversation" label="Conversation" any="Any conversation" options={chats} />
      )}
    </div>
  );
}

function options(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
