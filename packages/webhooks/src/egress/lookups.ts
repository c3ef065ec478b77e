import { withDeadline } from '../../../toolkit/src/deadline.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** How long a caller waits for an answer, including the time in the queue. */
export const RESOLVE_DEADLINE_MS = 3000;

/**
 * The most concurrent lookups of one resolver: more than concurrent attempts, unless the host
 * raises those.
 */
export const MAX_LOOKUPS = 256;

/** The most queued names. Beyond that, a name does not resolve. */
export const MAX_WAITING_LOOKUPS = 4096;

/**
 * The age at which a lookup counts as lost. Another one may then take its slot, or look up its name
 * again.
 */
export const LOST_LOOKUP_MS = 30_000;

type Answers = readonly ResolvedAddress[] | undefined;

/**
 * The lookups of one resolver: one at a time for each name, and a bounded number over all names.
 */
export interface Lookups {
  /**
   * Looks up the addresses of `hostname`. Concurrent callers of one name share a lookup. Never
   * rejects.
   *
   * @returns the resolver's answer, unjudged, or `undefined` if the lookup took more than 3 s or
   *   failed.
   */
  find(hostname: string): Promise<Answers>;
}

interface Lookup {
  readonly hostname: string;
  readonly answers: Promise<Answers>;
  readonly start: () => void;
  readonly cancelling: AbortController;
  callers: number;
}

const LOOKUPS_OF = new WeakMap<Resolve, Lookups>();

/**
 * The lookups of `resolve`. All engines of this process share them, because a lookup costs a thread
 * or a socket of the process.
 */
export function lookupsOf(resolve: Resolve): Lookups {
  const lookups = LOOKUPS_OF.get(resolve) ?? createLookups(resolve);
  LOOKUPS_OF.set(resolve, lookups);
  return lookups;
}

/**
 * Creates the lookups of a resolver. At most `maxAtOnce` run at a time; the others are queued in
 * order.
 *
 * A lookup without a waiting caller is cancelled through its signal. If it continues nevertheless,
 * it keeps its slot, because it still occupies a thread or a socket, and a new caller of its name
 * waits for it.
 */
export function createLookups(resolve: Resolve, maxAtOnce: number = MAX_LOOKUPS): Lookups {
  const byName = new Map<string, Lookup>();
  const waiting = new Set<Lookup>();
  let underway = 0;

  const startWaiting = (): void => {
    for (const lookup of waiting) {
      if (underway >= maxAtOnce) return;
      waiting.delete(lookup);
      underway += 1;
      lookup.start();
    }
  };

  const ask = async (hostname: string, signal: AbortSignal): Promise<Answers> => {
    const answers = await answersWithin(LOST_LOOKUP_MS, async () => resolve(hostname, { signal }), {
      unref: true,
    });
    underway -= 1;
    byName.delete(hostname);
    startWaiting();
    return answers;
  };

  const enqueue = (hostname: string): Lookup | undefined => {
    if (waiting.size >= MAX_WAITING_LOOKUPS) return undefined;
    const cancelling = new AbortController();
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const answers = started.then(() => ask(hostname, cancelling.signal));
    const lookup = { hostname, answers, start, cancelling, callers: 0 };
    byName.set(hostname, lookup);
    waiting.add(lookup);
    startWaiting();
    return lookup;
  };

  const abandon = (lookup: Lookup): void => {
    if (byName.get(lookup.hostname) !== lookup) return;
    if (waiting.delete(lookup)) byName.delete(lookup.hostname);
    else lookup.cancelling.abort();
  };

  return {
    async find(hostname) {
      const lookup = byName.get(hostname) ?? enqueue(hostname);
      if (lookup === undefined) return undefined;
      lookup.callers += 1;
      const answers = await answersWithin(RESOLVE_DEADLINE_MS, () => lookup.answers);
      lookup.callers -= 1;
      if (lookup.callers === 0) abandon(lookup);
      return answers;
    },
  };
}

/** What `work` gives, or `undefined` when it fails or takes longer than `ms`. */
async function answersWithin(
  ms: number,
  work: () => Promise<Answers>,
  options?: { readonly unref: boolean },
): Promise<Answers> {
  try {
    return await withDeadline(work(), ms, () => undefined, options);
  } catch {
    return undefined;
  }
}
