import type { Logger } from '../logging/logger.ts';
import { createHookQueue, type HookQueue } from './hook-queue.ts';

/** Tells a hook of events that happened together, in their order. Never throws, never waits. */
export type TellHook<Event> = (events: readonly Event[]) => void;

/** The hooks of a host, called so that nothing that they do changes an answer or delays one. */
export interface Notifier {
  /** Returns the function that tells a hook; `undefined` if the host has no such hook. */
  hook<Event>(name: string, call: ((event: Event) => unknown) | undefined): TellHook<Event> | undefined;
  /** Resolves when no event waits and no hook is under way. Never rejects. */
  idle(): Promise<void>;
}

/**
 * Creates a notifier whose hooks have a queue each: a slow hook, or a flood of one kind of event,
 * takes nothing from the others.
 */
export function createNotifier(logger: Logger): Notifier {
  const queues: Pick<HookQueue<never>, 'isBusy' | 'idle'>[] = [];
  return {
    hook(name, call) {
      if (call === undefined) return undefined;
      const queue = createHookQueue(name, call, logger);
      queues.push(queue);
      return queue.tell;
    },

    async idle() {
      // A hook may cause an event of another kind.
      while (queues.some((queue) => queue.isBusy)) await Promise.all(queues.map((queue) => queue.idle()));
    },
  };
}
