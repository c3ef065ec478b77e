/** The input in the form of a webhook. */
export interface WebhookDraft {
  readonly url: string;
  readonly name: string;
  readonly description: string;
  /** Patterns; empty while "only some events" has none yet. */
  readonly events: readonly string[];
  /** Null while the field is empty. */
  readonly max_per_minute: number | null;
  /** A custom pattern that is typed and not added yet. */
  readonly pattern: string;
}

/** True for what was stored as one. */
export function isWebhookDraft(value: unknown): value is WebhookDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    typeof value.url === 'string' &&
    'name' in value &&
    typeof value.name === 'string' &&
    'description' in value &&
    typeof value.description === 'string' &&
    'events' in value &&
    'max_per_minute' in value &&
    (value.max_per_minute === null || typeof value.max_per_minute === 'number') &&
    'pattern' in value &&
    typeof value.pattern === 'string' &&
    Array.isArray(value.events) &&
    value.events.every((pattern) => typeof pattern === 'string')
  );
}
