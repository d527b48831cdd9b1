"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Card } from "./card.tsx";
import type { GalleryFilter } from "./read-filter.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { type Pages, usePages } from "./use-pages.ts";

const CARD_HEIGHT = 216;
const GAP = 12;
const NARROWEST = 168;

/** Only the rows of cards in sight are on the page, so ten thousand scroll like ten. */
export function Gallery({ first, filter }: { first: Pages; filter: GalleryFilter }) {
  const { items, next, problem, more, forget } = usePages(first, filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const router = useRouter();
  const { box, columns, top } = useColumns();
  const rows = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: 3,
    scrollMargin: top,
  });
  const inSight = rows.getVirtualItems();
  const last = inSight.at(-1)?.index ?? 0;
  useEffect(() => {
    if (next && !problem && (last + 4) * columns >= items.length) void more();
  }, [last, columns, items.length, next, problem, more]);

  const toggle = (id: string) => {
    const changed = new Set(selected);
    if (!changed.delete(id)) changed.add(id);
    setSelected(changed);
  };
  return (
    <>
      <ul ref={box} aria-label="Artifacts" className="relative" style={{ height: rows.getTotalSize() }}>
        {inSight.flatMap(({ index, start }) =>
          items.slice(index * columns, (index + 1) * columns).map((item, column) => (
            <Card
              key={item.id}
              item={item}
              selected={selected.has(item.id)}
              selecting={selected.size > 0}
              onToggle={() => toggle(item.id)}
              style={{
                height: CARD_HEIGHT,
                width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
                left: `calc((100% + ${GAP}px) / ${columns} * ${column})`,
                top: start - top,
              }}
            />
          )),
        )}
      </ul>
      {problem && (
        <div className="mt-3 flex items-center gap-2">
          <Notice kind="problem">{problem}</Notice>
          <Button size="small" onClick={() => void more()}>
            Try again
          </Button>
        </div>
      )}
      {selected.size > 0 && (
        <SelectionBar
          ids={[...selected]}
          onClear={() => setSelected(new Set())}
          onDeleted={() => {
            forget(selected);
            setSelected(new Set());
            // Nothing left here may mean that there is nothing at all, which the page says better.
            if (items.length === selected.size) router.refresh();
          }}
        />
      )}
    </>
  );
}

/** How many cards fit beside each other, and where the first row begins in the document. */
function useColumns() {
  const box = useRef<HTMLUListElement>(null);
  const [measured, setMeasured] = useState({ columns: 2, top: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const columns = Math.max(2, Math.floor((element.clientWidth + GAP) / (NARROWEST + GAP)));
      const top = element.getBoundingClientRect().top + window.scrollY;
      setMeasured((now) => (now.columns === columns && now.top === top ? now : { columns, top }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, ...measured };
}
