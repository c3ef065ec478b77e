import { useEffect, useRef, useState } from 'react';
import { tabStorage } from '../tab-storage.ts';

/** The input in the form of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  /** Patterns; empty while "only some events" has none yet. */
  readonly events: readonly string[];
  /** A custom pattern that is typed and not added yet. */
  readonly pattern: string;
}

/**
 * A stored draft, with the values that it began with. A save compares them to find another user's
 * changes.
 */
interface StoredDraft {
  readonly draft: WebhookDraft;
  readonly base: WebhookDraft;
}

/**
 * Stores an unsaved form in the tab's session storage, so that it survives an error, a reload and
 * the visit to the log-in page. It contains no secret.
 */
export function useDraft(name: string, initial: WebhookDraft) {
  const key = `draft:${name}`;
  const [restored] = useState(() => stored(key));
  const [draft, setDraft] = useState<WebhookDraft>(restored?.draft ?? initial);
  const [base, setBase] = useState<WebhookDraft>(restored?.base ?? initial);
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

function stored(key: string): StoredDraft | null {
  try {
    const value: unknown = JSON.parse(tabStorage.get(key) ?? 'null');
    return isStoredDraft(value) ? value : null;
  } catch {
    return null;
  }
}

function isStoredDraft(value: unknown): value is StoredDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'draft' in value &&
    isDraft(value.draft) &&
    'base' in value &&
    isDraft(value.base)
  );
}

function isDraft(value: unknown): value is WebhookDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    typeof value.url === 'string' &&
    'description' in value &&
    typeof value.description === 'string' &&
    'events' in value &&
    'pattern' in value &&
    typeof value.pattern === 'string' &&
    Array.isArray(value.events) &&
    value.events.every((pattern) => typeof pattern === 'string')
  );
}
