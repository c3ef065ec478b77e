import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';

/** Asks for a run that begins after the call, and settles as that run does. */
export interface Coalesced {
  (): Promise<void>;
  /** Resolves once no run waits or is under way. */
  idle(): Promise<void>;
}

/**
 * Merges requests for one task: a run that waits serves every request made before it begins. It
 * serves several callers, and therefore runs in the asynchronous context of none
 * (`AsyncLocalStorage`).
 *
 * @internal
 * @param limits.maxAtOnce the most runs under way, default 1
 * @param limits.gapMs the least time from the start of one run to that of the next, default 0
 */
export function coalesced(
  task: () => Promise<void>,
  { maxAtOnce = 1, gapMs = 0 }: { readonly maxAtOnce?: number; readonly gapMs?: number } = {},
): Coalesced {
  const runInOwnContext = outsideRequests.bind(task);
  const underWay = new Set<Promise<void>>();
  let waiting: Promise<void> | undefined;
  let earliestStart = 0;

  async function untilFree(): Promise<void> {
    while (underWay.size >= maxAtOnce) await Promise.race(underWay).catch(() => undefined);
    const pauseMs = Math.ceil(earliestStart - performance.now());
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  function start(): Promise<void> {
    waiting = undefined;
    earliestStart = performance.now() + gapMs;
    const run = runInOwnContext().finally(() => underWay.delete(run));
    underWay.add(run);
    return run;
  }

  function ask(): Promise<void> {
    const isFree = underWay.size < maxAtOnce && performance.now() >= earliestStart;
    if (waiting === undefined && isFree) return start();
    waiting ??= untilFree().then(start);
    return waiting;
  }

  async function idle(): Promise<void> {
    while (waiting !== undefined || underWay.size > 0) await Promise.allSettled([waiting, ...underWay]);
  }

  return Object.assign(ask, { idle });
}
