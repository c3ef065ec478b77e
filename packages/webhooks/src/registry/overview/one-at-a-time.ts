import { withDeadline } from '../../../../toolkit/src/deadline.ts';

/** A read that takes longer is no longer waited for: it may never end. */
const MAX_WAIT_MS = 30_000;

/**
 * A read that is under way once, however many ask: calls meanwhile share the next one, which begins
 * when that has ended, and so has what was changed before them.
 */
export function oneAtATime<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  function begin(): Promise<Result> {
    const result = read();
    running = result;
    next = undefined;
    const end = () => {
      if (running === result) running = undefined;
    };
    result.then(end, end);
    return result;
  }

  return () => {
    if (running === undefined) return begin();
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    next ??= withDeadline(ended, MAX_WAIT_MS, () => undefined, { unref: true }).then(begin);
    return next;
  };
}
