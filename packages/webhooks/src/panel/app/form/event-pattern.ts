import { fill } from '../texts/host-texts.ts';
import { eventTexts } from './event-texts.ts';

/**
 * The grammar of `src/events/pattern.ts`, for feedback while the user types; the server decides.
 */

const MAX_LENGTH = 128;
const SEGMENTS = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** The problem of a pattern; null if it is valid. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return fill(eventTexts.tooLong, { max: MAX_LENGTH });
  if (pattern === '*') return null;
  if (/\s/.test(pattern)) return eventTexts.noSpaces;
  const isPrefix = pattern.endsWith('.*');
  const name = isPrefix ? pattern.slice(0, -2) : pattern;
  if (name.includes('*')) return eventTexts.starPlace;
  if (!SEGMENTS.test(name)) return eventTexts.characters;
  if (!isPrefix && !name.includes('.')) return fill(eventTexts.twoParts, { pattern: `${name}.*` });
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
