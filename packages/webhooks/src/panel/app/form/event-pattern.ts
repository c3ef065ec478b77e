/**
 * The grammar of `src/events/pattern.ts`, for feedback while the user types; the server decides.
 */

const MAX_LENGTH = 128;
const SEGMENTS = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** The problem of a pattern; null if it is valid. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return `At most ${MAX_LENGTH} characters.`;
  if (pattern === '*') return null;
  if (/\s/.test(pattern)) return 'No spaces. Add one pattern at a time.';
  const isPrefix = pattern.endsWith('.*');
  const name = isPrefix ? pattern.slice(0, -2) : pattern;
  if (name.includes('*')) return 'A star stands alone, or at the end after a dot: order.*';
  if (!SEGMENTS.test(name)) return 'Letters, digits, _ and - in parts joined by dots: order.created';
  if (!isPrefix && !name.includes('.')) return `An event has at least two parts. Do you mean ${name}.* ?`;
  return null;
}

/** Tells whether a pattern matches an event. */
export function selects(pattern: string, event: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? event.startsWith(pattern.slice(0, -1)) : pattern === event;
}

/** The wildcard of an event's first part: `order.created` → `order.*`. */
export function wildcardOf(event: string): string {
  return `${event.split('.', 1)[0]}.*`;
}
