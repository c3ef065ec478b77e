import { WebhookError } from '../errors.ts';

/** The longest event name and the longest pattern, in characters. */
export const MAX_EVENT_NAME_LENGTH = 128;

/** The form of an event name, whatever its length. */
export const EVENT_NAME: RegExp = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

/**
 * Tells whether `text` is an event name: `entity.verb`, two or more segments of letters, digits,
 * `_` and `-`.
 */
export function isEventName(text: string): boolean {
  return text.length <= MAX_EVENT_NAME_LENGTH && EVENT_NAME.test(text);
}

/** @throws WebhookError `invalid_event` unless `name` is an event name */
export function assertEventName(name: unknown): asserts name is string {
  if (typeof name === 'string' && isEventName(name)) return;
  throw new WebhookError(
    'invalid_event',
    `An event name has the form entity.verb (letters, digits, _ and -, segments joined by dots, at most ${MAX_EVENT_NAME_LENGTH} characters)`,
  );
}
