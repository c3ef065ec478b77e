import { withDeadline } from '../../../toolkit/src/deadline.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** How long a caller waits for an answer, including the time in the queue. */
export const RESOLVE_DEADLINE_MS = 3000;

/**
 * The most concurrent lookups of one resolver: more than concurrent attempts, unless the host
 * raises those.
 */
export const MAX_LOOK_UPS = 256;

/** The most queued names. Beyond that, a name does not resolve. */
export const MAX_WAITING_LOOK_UPS = 4096;

/**
 * The age at which a lookup counts as lost. Another one may then take its slot, or look up its name
 * again.
 */
export const LOST_LOOK_UP_MS = 30_000;

type Answers = readonly ResolvedAddress[] | undefined;

/**
 * The lookups of one resolver: one at a time for each name, and a bounded number over all names.
 */
export interface LookUps {
  /**
   * Looks up the addresses of `hostname`. Concurrent callers of one name share a lookup. Never
   * rejects.
   *
   * @returns the resolver's answer, unjudged, or `undefined` if the lookup took more than 3 s or
   *   failed.
   */
  find(hostname: string): Promise<Answers>;
}

interface LookUp {
  readonly hostname: string;
  readonly answers: Promise<Answers>;
  readonly start: () => void;
  readonly cancelling: AbortController;
  callers: number;
}

const LOOK_UPS_OF = new WeakMap<Resolve, LookUps>();

/**
 * The lookups of `resolve`. All engines of this process share them, because a lookup costs a thread
 * or a socket of the process.
 */
export function lookUpsOf(resolve: Resolve): LookUps {
  const lookUps = LOOK_UPS_OF.get(resolve) ?? createLookUps(resolve);
  LOOK_UPS_OF.set(resolve, lookUps);
  return lookUps;
}

/**
 * Creates the lookups of a resolver. At most `maxAtOnce` run at a time; the others are queued in
 * order.
 *
 * A lookup without a waiting caller is cancelled through its signal. If it continues nevertheless,
 * it keeps its slot, because it still occupies a thread or a socket, and a new caller of its name
 * waits for it.
 */
export function createLookUps(resolve: Resolve, maxAtOnce: number = MAX_LOOK_UPS): LookUps {
  const byName = new Map<string, LookUp>();
  const waiting = new Set<LookUp>();
  let underway = 0;

  const startWaiting = (): void => {
    for (const lookUp of waiting) {
      if (underway >= maxAtOnce) return;
      waiting.delete(lookUp);
      underway += 1;
      lookUp.start();
    }
  };

  const ask = async (hostname: string, signal: AbortSignal): Promise<Answers> => {
    const answers = await answersWithin(LOST_LOOK_UP_MS, async () => resolve(hostname, { signal }), {
      unref: true,
    });
    underway -= 1;
    byName.delete(hostname);
    startWaiting();
    return answers;
  };

  const enqueue = (hostname: string): LookUp | undefined => {
    if (waiting.size >= MAX_WAITING_LOOK_UPS) return undefined;
    const cancelling = new AbortController();
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const answers = started.then(() => ask(hostname, cancelling.signal));
    const lookUp = { hostname, answers, start, cancelling, callers: 0 };
    byName.set(hostname, lookUp);
    waiting.add(lookUp);
    startWaiting();
    return lookUp;
  };

  const abandon = (lookUp: LookUp): void => {
    if (byName.get(lookUp.hostname) !== lookUp) return;
    if (waiting.delete(lookUp)) byName.delete(lookUp.hostname);
    else lookUp.cancelling.abort();
  };

  return {
    async find(hostname) {
      const lookUp = byName.get(hostname) ?? enqueue(hostname);
      if (lookUp === undefined) return undefined;
      lookUp.callers += 1;
      const answers = await answersWithin(RESOLVE_DEADLINE_MS, () => lookUp.answers);
      lookUp.callers -= 1;
      if (lookUp.callers === 0) abandon(lookUp);
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
