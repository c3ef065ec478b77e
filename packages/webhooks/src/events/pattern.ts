import { isEventName, MAX_EVENT_NAME_LENGTH } from './event-name.ts';

const PREFIX_PATTERN = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.\*$/;

/** Tells whether `text` is a pattern: `*`, `<prefix>.*` or an exact event name. At most 128 characters. */
export function isEventPattern(text: string): boolean {
  if (text.length > MAX_EVENT_NAME_LENGTH) return false;
  return text === '*' || PREFIX_PATTERN.test(text) || isEventName(text);
}

/**
 * Tells whether a pattern selects an event: `*` selects every event, `order.*` every event whose name starts with
 * `order.`, and any other pattern the one event of that name. Compares byte by byte, case included.
 *
 * @example
 * matchesPattern('order.*', 'order.item.added') // true
 * matchesPattern('order.*', 'orders.created')   // false
 */
export function matchesPattern(pattern: string, event: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? event.startsWith(pattern.slice(0, -1)) : pattern === event;
}

/**
 * All patterns that select an event: `*`, one per proper prefix, and the name itself. At most 65 for a name of 128
 * characters, so that subscribers are found by looking these up instead of testing every subscription.
 */
export function patternsMatching(event: string): string[] {
  const patterns = ['*'];
  for (let dot = event.indexOf('.'); dot !== -1; dot = event.indexOf('.', dot + 1)) {
    patterns.push(`${event.slice(0, dot)}.*`);
  }
  patterns.push(event);
  return patterns;
}
