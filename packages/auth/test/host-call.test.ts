import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOST_CALL_TIMEOUT_MS } from '../src/host-call.ts';
import { Browser, sessionHost } from './sessions/session-host.ts';

/** Log-ins of one account that may be under way at once. */
const PLACES = 10;

const ANSWERS = {
  beforeLogin: async () => undefined,
  verifyCredentials: async () => ({ uid: '7' }),
  loadUser: async () => ({ scopes: [] }),
};

describe('a function of the host that never settles', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each(['beforeLogin', 'verifyCredentials', 'loadUser'] as const)(
    'is answered 503, and keeps no place of an account: %s',
    async (name) => {
      let hangs = true;
      const host = sessionHost({ [name]: () => (hangs ? new Promise(() => {}) : ANSWERS[name]()) });
      const statuses: number[] = [];
      const pending = Array.from({ length: PLACES }, async () => {
        statuses.push((await new Browser(host).logIn()).status);
      });
      await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS - 1);
      expect(statuses).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all(pending);
      expect(statuses).toEqual(Array.from({ length: PLACES }, () => 503));
      hangs = false;
      expect((await new Browser(host).logIn()).status).toBe(200);
    },
  );
});
