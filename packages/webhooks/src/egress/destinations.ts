import type { UrlPolicy, UrlReading } from './url-policy.ts';

/** Where a request goes: what its connection and its first line are made of. */
export interface Destination {
  readonly kind: 'destination';
  readonly origin: string;
  readonly path: string;
}

/** Reads a URL: where it leads, or why it is refused. */
export type ReadDestination = (url: string) => Destination | Extract<UrlReading, { kind: 'refused' }>;

/** The most URLs whose reading is kept; then keeping begins anew. */
export const MAX_KEPT_DESTINATIONS = 4_096;

/** The longest path that is kept. Letters beyond ASCII make one that is nine times as long as its URL. */
export const MAX_KEPT_PATH_LENGTH = 2_048;

/**
 * Creates a reader of the URLs of one egress, which keeps what it read: parsing and judging a URL takes 2 µs, a tenth of
 * sending a request. Beyond the bound it gains nothing, and costs nothing: to make room one by one would.
 *
 * A policy judges a text the same way for ever. What can change, where a name leads, is judged by every connection.
 */
export function createDestinations(policy: Pick<UrlPolicy, 'read'>): ReadDestination {
  const kept = new Map<string, Destination>();
  return (url) => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const reading = policy.read(url);
    if (reading.kind === 'refused') return reading;
    const { origin, pathname, search } = reading.url;
    const destination: Destination = { kind: 'destination', origin, path: pathname + search };
    if (destination.path.length > MAX_KEPT_PATH_LENGTH) return destination;
    if (kept.size === MAX_KEPT_DESTINATIONS) kept.clear();
    kept.set(url, destination);
    return destination;
  };
}
