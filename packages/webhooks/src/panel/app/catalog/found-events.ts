import type { KnownEvent } from '../api/records.ts';

/**
 * The events with a text in their name or label, by what they are about: the part before the first
 * dot. In the order of the catalog.
 */
export function foundEvents(
  events: readonly KnownEvent[],
  text: string,
): (readonly [string, KnownEvent[]])[] {
  const wanted = text.trim().toLowerCase();
  const found = events.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted));
  return [...Map.groupBy(found, ({ name }) => name.slice(0, name.indexOf('.')))];
}
