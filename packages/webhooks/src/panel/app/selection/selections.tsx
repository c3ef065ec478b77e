import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useApi } from '../api/api-context.ts';

/** As many as a person can mean. */
export const MAX_SELECTED = 10_000;

/** Something that can be selected, by the key and the name that a dialog shows. */
export interface Selectable {
  readonly key: string;
  readonly name: string;
}

export interface Selection {
  /** False if nothing can be selected. */
  readonly isOffered: boolean;
  /** The names by their keys. */
  readonly selected: ReadonlyMap<string, string>;
  readonly isFull: boolean;
  /** Selects as many as there is room for, or none of them any more. */
  select(items: readonly Selectable[], isSelected: boolean): void;
  /** Ends the selection of all others. */
  keep(keys: readonly string[]): void;
}

/** A delivery as a selection names it: with the recipient where there may be several. */
export function selectableDelivery(delivery: {
  readonly delivery_id: string;
  readonly event: string;
  /** Null for a webhook that is gone. */
  readonly webhook_url?: string | null;
  readonly webhook_name?: string | null;
}): Selectable {
  const { delivery_id: key, event, webhook_url: url, webhook_name: name } = delivery;
  return { key, name: url ? `${event} ${key}, ${name || url}` : `${event} ${key}` };
}

type Selections = Readonly<Record<string, ReadonlyMap<string, string>>>;
const NONE: ReadonlyMap<string, string> = new Map();

const SelectionsContext = createContext<[Selections, (change: (previous: Selections) => Selections) => void]>(
  [{}, () => undefined],
);

/** Keeps what is selected while the user turns pages, opens a delivery and comes back. */
export function SelectionsProvider({ children }: { readonly children: ReactNode }) {
  return <SelectionsContext value={useState<Selections>({})}>{children}</SelectionsContext>;
}

/** The selection of this name. It ends by Escape, unless that closes or clears something else. */
export function useSelection(name: string): Selection {
  const [selections, setSelections] = useContext(SelectionsContext);
  const { isReadOnly } = useApi();
  const selected = selections[name] ?? NONE;
  const isEmpty = selected.size === 0;
  useEffect(() => {
    if (isEmpty) return;
    const clear = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isForOther(event)) {
        setSelections((previous) => ({ ...previous, [name]: NONE }));
      }
    };
    // Before a dialog has closed itself.
    addEventListener('keydown', clear, { capture: true });
    return () => removeEventListener('keydown', clear, { capture: true });
  }, [isEmpty, name, setSelections]);

  function change(of: (previous: ReadonlyMap<string, string>) => readonly (readonly [string, string])[]) {
    setSelections((previous) => ({ ...previous, [name]: new Map(of(previous[name] ?? NONE)) }));
  }
  return {
    isOffered: !isReadOnly,
    selected,
    isFull: selected.size >= MAX_SELECTED,
    select: (items, isSelected) => {
      const keys = new Set(items.map(({ key }) => key));
      change((previous) =>
        isSelected
          ? [...new Map([...previous, ...items.map((item) => [item.key, item.name] as const)])].slice(
              0,
              MAX_SELECTED,
            )
          : [...previous].filter(([key]) => !keys.has(key)),
      );
    },
    keep: (keys) => {
      const kept = new Set(keys);
      change((previous) => [...previous].filter(([key]) => kept.has(key)));
    },
  };
}

const FIELDS = ['input:not([type="checkbox"])', 'select', 'textarea'];

/** Whether keys write into what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && FIELDS.some((field) => target.matches(field));
}

function isForOther({ target }: KeyboardEvent): boolean {
  return isTyping(target) || document.querySelector('[role="dialog"], .mantine-Popover-dropdown') !== null;
}
