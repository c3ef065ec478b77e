import type { TimerOptions } from 'node:timers';

// What `node:timers/promises` exports by these names, on the global timers.

export function setTimeout<Value>(
  ms: number,
  value?: Value,
  { signal }: TimerOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = globalThis.setTimeout(resolve, ms, value);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

export function setImmediate(): Promise<void> {
  return new Promise((resolve) => globalThis.setImmediate(resolve));
}
