import { describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/auth.ts';
import { requireParts } from '../../../src/http/auth-parts.ts';
import { hashPassword } from '../../../src/passwords/password.ts';
import {
  createLoginProtection,
  type LoginProtectionConfig,
} from '../../../src/sessions/log-in/login-protection.ts';
import type { LoginThrottleOptions } from '../../../src/sessions/log-in/login-throttle-options.ts';
import { passwordCredentials } from '../../../src/sessions/log-in/password-credentials.ts';
import { memoryLoginFailures } from '../../contract/memory-login-failures.ts';
import { START } from '../../fake-clock.ts';
import { Browser, SIGNING_KEY, sessionHost } from '../session-host.ts';

function throttleOf(
  options: LoginThrottleOptions | false,
  config: Partial<LoginProtectionConfig> & { readonly signingKey?: string } = {},
) {
  const { signingKey = SIGNING_KEY, ...given } = config;
  const auth = createAuth({ signingKey });
  return createLoginProtection(options, {
    auth,
    authParts: requireParts(auth),
    instance: '/api/admin',
    logger: { error: () => {} },
    now: () => START,
    ...given,
  });
}

describe('the throttle of sessions', () => {
  it('is absent, known devices included, where it is turned off', () => {
    const off = { throttle: undefined, knownDevices: undefined };
    expect(throttleOf(false)).toEqual(off);
  });

  it('knows devices, unless they are turned off', () => {
    const isKnowing = (...args: Parameters<typeof throttleOf>) =>
      throttleOf(...args).knownDevices !== undefined;
    expect(
      [{}, { knownDevices: true }, { knownDevices: false } as const].map((options) => isKnowing(options)),
    ).toEqual([true, true, false]);
  });

  it('makes devices known by default with passwordCredentials, which finds accounts', async () => {
    const passwordHash = await hashPassword('correct horse');
    const verifyCredentials = passwordCredentials({ findUser: async () => ({ uid: '7', passwordHash }) });
    for (const [options, cookies] of [
      [{}, 3],
      [{ loginThrottle: { knownDevices: false } }, 2],
      [{ loginThrottle: false }, 2],
    ] as const) {
      const browser = new Browser(sessionHost({ verifyCredentials, ...options }));
      await browser.logIn('ada', 'correct horse');
      expect(browser.cookies.size).toBe(cookies);
    }
  });

  it('counts apart from other instances, and from apps with another signing key, in one store', async () => {
    const store = memoryLoginFailures();
    const fail = async (config: Parameters<typeof throttleOf>[1]) => {
      const { throttle } = throttleOf({ store, maxFailuresPerAccount: 1 }, config);
      const admission = await throttle?.admit({ names: ['ADA'], address: undefined });
      await admission?.end('account');
    };
    await fail({});
    await expect(fail({})).rejects.toMatchObject({ code: 'rate_limited' });
    await fail({ instance: '/api' });
    await fail({ signingKey: `another-${SIGNING_KEY}` });
    expect([...store.counts.keys()].join()).not.toMatch(/ada|api/i);
  });
});
