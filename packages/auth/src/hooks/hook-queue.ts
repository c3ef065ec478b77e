import { AsyncResource } from 'node:async_hooks';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { createPacedReport } from '../../../toolkit/src/paced-report.ts';
import type { Logger } from '../logging/logger.ts';

/** How long a hook keeps its place. It goes on afterwards, but the next event no longer waits. */
export const HOOK_TIMEOUT_MS = 5_000;
/** Calls of one hook that are under way at once. */
export const MAX_HOOKS_AT_ONCE = 16;
/**
 * Notices that wait for one hook. The next one is dropped, so that a flood takes no more memory.
 */
export const MAX_WAITING_NOTICES = 1_000;

/** The events of one kind, on their way to the hook. */
export interface HookQueue<Event> {
  /**
   * Queues events as one notice. The hook is called with each, in order, in a later turn of the
   * event loop.
   */
  tell(events: readonly Event[]): void;
  readonly isBusy: boolean;
  /** Resolves when the queue is empty and every call has settled or used up its time. */
  idle(): Promise<void>;
}

/** Events that were told together. */
interface Notice<Event> {
  /** The events that the hook has not been called with. */
  readonly events: Iterator<Event>;
  /**
   * The asynchronous context in which it was told, where a host's logger finds its request id.
   * `AsyncResource.bind` costs a hundred times as much on Node 20.
   */
  readonly context: AsyncResource;
}

/**
 * Creates the queue of one hook.
 *
 * A hook that throws, rejects or takes longer than {@link HOOK_TIMEOUT_MS} is logged, as are
 * dropped events: the first at once, then once a minute with their number.
 */
export function createHookQueue<Event>(
  name: string,
  hook: (event: Event) => unknown,
  logger: Logger,
): HookQueue<Event> {
  const waiting: Notice<Event>[] = [];
  let running = 0;
  let isScheduled = false;
  let whenIdle: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const failed = createPacedReport((failures, err) =>
    logger.error({ err, failures }, `The hook ${name} failed`),
  );
  const dropped = createPacedReport((events) =>
    logger.error({ dropped: events }, `The hook ${name} is too slow: events were dropped`),
  );

  function isBusy(): boolean {
    return waiting.length > 0 || running > 0;
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      callWaiting();
    });
  }

  function callWaiting(): void {
    for (let [notice] = waiting; notice !== undefined && running < MAX_HOOKS_AT_ONCE; [notice] = waiting) {
      const { context, events } = notice;
      const { done, value: event } = events.next();
      if (done) waiting.shift();
      else start(() => context.runInAsyncScope(hook, undefined, event));
    }
    if (isBusy()) return;
    whenIdle?.resolve();
    whenIdle = undefined;
  }

  function start(call: () => unknown): void {
    try {
      const answer = call();
      if (isThenable(answer)) void waitFor(answer);
    } catch (error) {
      failed.note(error);
    }
  }

  async function waitFor(answer: PromiseLike<unknown>): Promise<void> {
    running += 1;
    try {
      // Not unreferenced: a process that ends by itself waits for a hook under way.
      await withDeadline(answer, HOOK_TIMEOUT_MS, refuseLateHook);
    } catch (error) {
      failed.note(error);
    }
    running -= 1;
    callWaiting();
  }

  return {
    tell(events) {
      if (events.length === 0) return;
      if (waiting.length >= MAX_WAITING_NOTICES) {
        dropped.note(undefined, events.length);
        return;
      }
      waiting.push({ events: events.values(), context: new AsyncResource('AUTH_HOOK') });
      schedule();
    },

    get isBusy() {
      return isBusy();
    },

    async idle() {
      if (!isBusy()) return;
      whenIdle ??= withResolver();
      await whenIdle.promise;
    },
  };
}

function withResolver() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Promises of other libraries, and of other realms, are not instances of `Promise`. */
function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  );
}

function refuseLateHook(): never {
  throw new Error(`The hook has not settled within ${HOOK_TIMEOUT_MS} ms`);
}
