import { MAX_EVENT_NAME_LENGTH } from '../../../events/event-name.ts';
import { isEventPattern } from '../../../events/pattern.ts';
import { fill } from '../texts/host-texts.ts';
import { eventTexts } from './event-texts.ts';

/** Why a text is no pattern; null if it is one. */
export function patternProblem(pattern: string): string | null {
  if (isEventPattern(pattern)) return null;
  if (pattern.length > MAX_EVENT_NAME_LENGTH) return fill(eventTexts.tooLong, { max: MAX_EVENT_NAME_LENGTH });
  if (/\s/.test(pattern)) return eventTexts.noSpaces;
  const name = pattern.endsWith('.*') ? pattern.slice(0, -2) : pattern;
  if (name.includes('*')) return eventTexts.starPlace;
  const wildcard = `${name}.*`;
  return isEventPattern(wildcard) ? fill(eventTexts.twoParts, { pattern: wildcard }) : eventTexts.characters;
}
