import { useEffect, useRef, useState } from 'react';
import { tabStorage } from '../tab-storage.ts';

/**
 * A stored draft, with the values that it began with. A save compares them to find another user's
 * changes.
 */
interface StoredDraft<Draft> {
  readonly draft: Draft;
  readonly base: Draft;
}

/**
 * Stores an unsaved form in the tab's session storage, so that it survives an error, a reload and
 * the visit to the log-in page. It contains no secret.
 *
 * @param isDraft tells whether a stored value is one of this form
 */
export function useDraft<Draft extends object>(
  name: string,
  initial: Draft,
  isDraft: (value: unknown) => value is Draft,
) {
  const key = `draft:${name}`;
  const [restored] = useState(() => stored(key, isDraft));
  const [draft, setDraft] = useState<Draft>(restored?.draft ?? initial);
  const [base, setBase] = useState<Draft>(restored?.base ?? initial);
  const [isRestored, setRestored] = useState(restored !== null);
  const isKept = useRef(true);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  useEffect(() => {
    if (isKept.current && isChanged) tabStorage.set(key, JSON.stringify({ draft, base }));
    else tabStorage.remove(key);
  }, [key, draft, base, isChanged]);
  return {
    draft,
    setDraft,
    /** The values that the form began with, possibly before the page was loaded. */
    base,
    /** True if the draft differs from `base`. */
    isChanged,
    /** True if the draft was entered before the page was loaded. */
    isRestored,
    /** Resets the form. */
    discard(): void {
      setDraft(initial);
      setBase(initial);
      setRestored(false);
    },
    /** Removes the stored draft for good, once the form is saved or closed. */
    forget(): void {
      isKept.current = false;
      tabStorage.remove(key);
    },
  };
}

function stored<Draft>(key: string, isDraft: (value: unknown) => value is Draft): StoredDraft<Draft> | null {
  try {
    const value: unknown = JSON.parse(tabStorage.get(key) ?? 'null');
    const isStored = typeof value === 'object' && value !== null && 'draft' in value && 'base' in value;
    if (!isStored || !isDraft(value.draft) || !isDraft(value.base)) return null;
    return { draft: value.draft, base: value.base };
  } catch {
    return null;
  }
}
