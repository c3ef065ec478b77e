import type { Resolve, ResolvedAddress } from './resolve.ts';

/** How long an answer is waited for, the turn included. */
export const RESOLVE_DEADLINE_MS = 3000;

/** The most look-ups of one resolver at once: more than attempts at once, unless the host raises those. */
export const MAX_LOOK_UPS = 256;

/** The most names that wait for their turn; further ones do not resolve now. */
export const MAX_WAITING_LOOK_UPS = 4096;

/** The age at which a look-up counts as lost: another one may then take its place, or ask for its name. */
export const LOST_LOOK_UP_MS = 30_000;

type Answers = readonly ResolvedAddress[] | undefined;

/** The look-ups of one resolver: one at a time for each name, and a bounded number over all names. */
export interface LookUps {
  /**
   * Asks for the addresses of `hostname`, together with everybody who asks for it meanwhile; never rejects.
   *
   * @returns what the resolver answered, unjudged, or `undefined` when that took more than 3 s or failed.
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
 * The look-ups of `resolve`, the same ones for everybody in this process: what a look-up costs (a thread, a
 * socket) is the process's, whichever engine, delivery or registration asks.
 */
export function lookUpsOf(resolve: Resolve): LookUps {
  const lookUps = LOOK_UPS_OF.get(resolve) ?? createLookUps(resolve);
  LOOK_UPS_OF.set(resolve, lookUps);
  return lookUps;
}

/**
 * Creates the look-ups of a resolver, at most `maxAtOnce` under way; the others wait in order.
 *
 * A look-up that nobody waits for any more is cancelled through its signal. One that goes on nevertheless keeps
 * its place, because it still holds what look-ups hold; who asks for its name waits for it like everybody else.
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
    const answers = await within(LOST_LOOK_UP_MS, async () => resolve(hostname, { signal }), { unref: true });
    underway -= 1;
    byName.delete(hostname);
    startWaiting();
    return answers;
  };

  const announce = (hostname: string): LookUp | undefined => {
    if (waiting.size >= MAX_WAITING_LOOK_UPS) return undefined;
    const cancelling = new AbortController();
    let start = (): void => undefined;
    const turn = new Promise<void>((grant) => {
      start = grant;
    });
    const answers = turn.then(() => ask(hostname, cancelling.signal));
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
      const lookUp = byName.get(hostname) ?? announce(hostname);
      if (lookUp === undefined) return undefined;
      lookUp.callers += 1;
      const answers = await within(RESOLVE_DEADLINE_MS, () => lookUp.answers);
      lookUp.callers -= 1;
      if (lookUp.callers === 0) abandon(lookUp);
      return answers;
    },
  };
}

/** What `work` gives, or `undefined` when it fails or takes longer than `ms`. */
async function within<T>(
  ms: number,
  work: () => Promise<T>,
  { unref }: { readonly unref: boolean } = { unref: false },
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((expire) => {
    timer = setTimeout(expire, ms, undefined);
    if (unref) timer.unref();
  });
  try {
    return await Promise.race([work(), deadline]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
