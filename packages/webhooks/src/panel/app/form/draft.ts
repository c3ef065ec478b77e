import { useEffect, useRef, useState } from 'react';

/** What somebody has entered into the form of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly description: string;
  /** Patterns; empty while "only some events" has none yet. */
  readonly events: readonly string[];
}

/**
 * Keeps an unsaved form in the tab's own storage, so that it survives an error, a reload and the way to the log-in
 * page. It holds no secret.
 */
export function useDraft(name: string, initial: WebhookDraft) {
  const key = `acme-webhooks:draft:${name}`;
  const [draft, setDraft] = useState<WebhookDraft>(() => stored(key) ?? initial);
  const isKept = useRef(true);
  useEffect(() => {
    if (isKept.current) sessionStorage.setItem(key, JSON.stringify(draft));
  }, [key, draft]);
  function forget(): void {
    isKept.current = false;
    sessionStorage.removeItem(key);
  }
  return { draft, setDraft, forget };
}

function stored(key: string): WebhookDraft | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
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
    Array.isArray(value.events) &&
    value.events.every((pattern) => typeof pattern === 'string')
  );
}
