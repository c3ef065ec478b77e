import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import { tabStorage } from '../tab-storage.ts';

/**
 * The input of a form. Before it is lost, the user is asked: by the browser, or here where a page of
 * the panel is left. A visit to the log-in page does not lose it. It contains no secret.
 *
 * @param name tells the forms apart
 */
export function useDraft<Draft extends object>(name: string, initial: Draft) {
  const { session } = useApi();
  const key = `draft:${name}`;
  const [restored] = useState(() => stored<Draft>(key));
  const [draft, setDraft] = useState<Draft>({ ...initial, ...restored?.draft });
  const [base] = useState<Draft>({ ...initial, ...restored?.base });
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const release = useRef(() => {});
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);

  useEffect(() => tabStorage.remove(key), [key]);
  const store = useEffectEvent(() => tabStorage.set(key, JSON.stringify({ draft, base })));
  useEffect(() => {
    if (!isChanged) return;
    release.current = session.hold({ store: () => void store(), ask: (way) => setLeave(() => way) });
    return release.current;
  }, [session, isChanged]);

  /** Ends the questions, once the form is saved or closed. */
  function forget(): void {
    release.current();
  }
  return {
    draft,
    setDraft,
    /** The values that the form began with, possibly before the log-in. */
    base,
    /** True if the draft was entered before the log-in. */
    isRestored: restored !== null,
    forget,
    /** Calls `way`, after a question if that loses input. */
    leaveBy(way: () => void): void {
      if (isChanged) setLeave(() => way);
      else way();
    },
    /** What the question needs; null while nothing is asked. */
    question: leave && {
      onLeave(): void {
        forget();
        leave();
      },
      onStay: () => setLeave(null),
    },
  };
}

/** A draft with the values that it began with: a save compares them to find another user's changes. */
function stored<Draft>(key: string): { readonly draft: Draft; readonly base: Draft } | null {
  return JSON.parse(tabStorage.get(key) ?? 'null');
}
