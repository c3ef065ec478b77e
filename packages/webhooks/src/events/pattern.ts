import { isEventName, MAX_EVENT_NAME_LENGTH } from './event-name.ts';

/** The form of a pattern, whatever its length. */
export const EVENT_PATTERN: RegExp = /^(?:\*|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(?:\*|[A-Za-z0-9_-]+))$/;

/**
 * Tells whether `text` is a pattern: `*`, `<prefix>.*` or an exact event name. At most 128
 * characters.
 */
export function isEventPattern(text: string): boolean {
  return text.length <= MAX_EVENT_NAME_LENGTH && EVENT_PATTERN.test(text);
}

/**
 * Tells whether a pattern matches an event. `*` matches every event, `order.*` every event whose
 * name starts with `order.`, and any other pattern the one event of that name. The comparison is
 * byte by byte and case-sensitive.
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
 * Lists all patterns that match an event: `*`, one per proper prefix, and the name itself. A name
 * of 128 characters has at most 65. Subscribers are found by these patterns, without testing every
 * subscription.
 */
export function patternsMatching(event: string): string[] {
  const patterns = ['*'];
  for (let dot = event.indexOf('.'); dot !== -1; dot = event.indexOf('.', dot + 1)) {
    patterns.push(`${event.slice(0, dot)}.*`);
  }
  patterns.push(event);
  return patterns;
}

/**
 * What a search for `text` finds webhooks by, beside their texts. For an event: the patterns that
 * match it. For a pattern: itself, those that match all that it matches, and those that begin with
 * its prefix. Not `*`, since a host's name has the form of an event's, too.
 */
export function searchedPatterns(text: string): { searchPatterns: string[]; searchPrefix?: string } {
  const name = text.trim();
  if (isEventName(name)) return { searchPatterns: patternsMatching(name).filter((one) => one !== '*') };
  if (!isEventPattern(name) || name === '*') return { searchPatterns: name === '*' ? [name] : [] };
  const searchPatterns = [...new Set(patternsMatching(name))].filter((one) => one !== '*');
  return { searchPatterns, searchPrefix: name.slice(0, -1) };
}
