import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SelectionAction } from '../api/selection-action.ts';
import { fill } from '../texts/host-texts.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { type Matching, SelectMatching } from './select-matching.tsx';
import { selectionTexts } from './selection-texts.ts';
import type { Selection } from './selections.tsx';

const SelectionDialog = lazyComponent(async () => (await import('./selection-dialog.tsx')).SelectionDialog);

interface SelectionBarProps {
  readonly selection: Selection;
  /** What a list has beyond its page. Default: nothing. */
  readonly matching?: Matching;
  readonly actions: readonly SelectionAction[];
  /** Called with the keys of what an action has changed. */
  readonly onDone?: (action: SelectionAction, keys: readonly string[]) => void;
}

/** Says how many are selected, and what can be done with them. */
export function SelectionBar({ selection, actions, matching, onDone }: SelectionBarProps) {
  const [action, setAction] = useState<SelectionAction | null>(null);
  const { selected, isFull, keep } = selection;
  const isShown = selected.size > 0;
  // It covers the end of the page, where the box may be that has just been checked.
  useEffect(() => {
    if (isShown) document.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <>
      {isShown && (
        <Group
          component="section"
          className="selection-bar"
          justify="center"
          gap="md"
          p="sm"
          fz="sm"
          aria-label={selectionTexts.label}
        >
          <span role="status">
            {fill(isFull ? selectionTexts.full : selectionTexts.count, { count: selected.size })}{' '}
            <span className="selection-way">{selectionTexts.way}</span>
          </span>
          {matching && <SelectMatching selection={selection} matching={matching} />}
          <Group gap="xs">
            {actions.map((one) => (
              <Button
                key={one}
                variant="default"
                size="compact-sm"
                {...(one === 'delete' ? { className: 'danger' } : {})}
                onClick={() => setAction(one)}
              >
                {selectionTexts[one]}
              </Button>
            ))}
            <Button variant="subtle" size="compact-sm" onClick={() => keep([])}>
              {selectionTexts.clear}
            </Button>
          </Group>
        </Group>
      )}
      {action !== null && (
        <SelectionDialog
          action={action}
          selection={selection}
          onDone={(keys) => onDone?.(action, keys)}
          onClose={() => setAction(null)}
        />
      )}
    </>
  );
}
