import { useEffect, useRef, useState } from 'react';

/** What somebody has entered into the form of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  /** Patterns; empty while "only some events" has none yet. */
  readonly events: readonly string[];
  /** Typed as a pattern of one's own, and not added yet. */
  readonly pattern: string;
}

/** A draft as it is kept: with what it began with, by which a save sees what somebody else has changed since then. */
interface KeptDraft {
  readonly draft: WebhookDraft;
  readonly base: WebhookDraft;
}

/**
 * Keeps an unsaved form in the tab's own storage, so that it survives an error, a reload and the way to the log-in
 * page. It holds no secret.
 */
export function useDraft(name: string, initial: WebhookDraft) {
  const key = `acme-webhooks:draft:${name}`;
  const [restored] = useState(() => stored(key));
  const [draft, setDraft] = useState<WebhookDraft>(restored?.draft ?? initial);
  const [base, setBase] = useState<WebhookDraft>(restored?.base ?? initial);
  const [isRestored, setRestored] = useState(restored !== null);
  const isKept = useRef(true);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  useEffect(() => {
    if (isKept.current && isChanged) sessionStorage.setItem(key, JSON.stringify({ draft, base }));
    else sessionStorage.removeItem(key);
  }, [key, draft, base, isChanged]);
  return {
    draft,
    setDraft,
    /** What the form began with, before the page was loaded perhaps. */
    base,
    /** Differs from what the form began with. */
    isChanged,
    /** Was entered before the page was loaded. */
    isRestored,
    /** Begins anew. */
    discard(): void {
      setDraft(initial);
      setBase(initial);
      setRestored(false);
    },
    /** The form is done with. */
    forget(): void {
      isKept.current = false;
      sessionStorage.removeItem(key);
    },
  };
}

function stored(key: string): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is KeptDraft {
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
