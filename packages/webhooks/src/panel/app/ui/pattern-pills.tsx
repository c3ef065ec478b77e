import { Pill } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useFold } from './fold.tsx';
import { uiTexts } from './ui-texts.ts';

interface PatternPillsProps {
  readonly patterns: readonly string[];
  /** Gives each pattern a button with this name that removes it. Default: none. */
  readonly removal?: { readonly label: (pattern: string) => string; remove(pattern: string): void };
}

const MAX_ROWS = 3;

/** Patterns in at most three rows, until all are asked for. */
export function PatternPills({ patterns, removal }: PatternPillsProps) {
  const group = useRef<HTMLDivElement>(null);
  const [maxHeight, setMaxHeight] = useState<number | null>(null);
  const { isFolded, button } = useFold(maxHeight !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other patterns take other rows.
  useLayoutEffect(() => {
    const box = group.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setMaxHeight(foldedHeight(box)));
    for (const pill of [box, ...box.children]) observer.observe(pill);
    setMaxHeight(foldedHeight(box));
    return () => observer.disconnect();
  }, [patterns]);
  return (
    <div>
      <Pill.Group
        ref={group}
        style={isFolded ? { maxHeight: maxHeight ?? undefined, overflow: 'hidden' } : {}}
      >
        {patterns.map((pattern) => (
          <Pill
            key={pattern}
            className="pattern"
            {...(removal && {
              withRemoveButton: true,
              onRemove: () => removal.remove(pattern),
              removeButtonProps: {
                'aria-label': removal.label(pattern),
                'aria-hidden': false,
                tabIndex: 0,
              },
            })}
          >
            {pattern === '*' ? uiTexts.everyEvent : pattern}
          </Pill>
        ))}
      </Pill.Group>
      {button}
    </div>
  );
}

/** Where the first row begins that is too many; null if there is none. */
function foldedHeight({ children }: HTMLElement): number | null {
  const tops = [...new Set([...children].map((pill) => pill.getBoundingClientRect().top))];
  const [first = 0] = tops;
  const next = tops[MAX_ROWS];
  return next === undefined ? null : next - first;
}
