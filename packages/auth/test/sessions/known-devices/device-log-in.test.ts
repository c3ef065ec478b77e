import { describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/auth.ts';
import { AuthError } from '../../../src/errors.ts';
import { createDeviceLogIn } from '../../../src/sessions/known-devices/device-log-in.ts';
import { createKnownDevices } from '../../../src/sessions/known-devices/known-devices.ts';
import type { SessionGrant } from '../../../src/sessions/session-grant.ts';
import { START } from '../../fake-clock.ts';
import { SIGNING_KEY } from '../session-host.ts';

const ADA = { uid: '7', passwordVersion: 'v1' };
const GRANT: SessionGrant = {
  sessionId: 's1',
  uid: '7',
  scopes: [],
  accessToken: 'a token',
  refreshToken: undefined,
  expiresAt: START + 300,
  serverTime: START,
  cookies: ['access_token=x'],
};
const passes = () => {};

function knownDevices() {
  return createKnownDevices(
    {},
    {
      auth: createAuth({ signingKey: SIGNING_KEY }),
      instance: '/api/admin',
      findAccount: async (login) => (login === 'ada' ? ADA : undefined),
      logger: { error: () => {} },
      now: () => START,
    },
  );
}

/** The value of the cookie that a log-in adds to its own. */
function valueIn(grant: SessionGrant | undefined): string {
  const [own, cookie = '', ...more] = grant?.cookies ?? [];
  expect([own, more]).toEqual(['access_token=x', []]);
  return /^known_device=([^;]+)/.exec(cookie)?.[1] ?? '';
}

describe('the device of a log-in', () => {
  it('is known from then on, and keeps its id', async () => {
    const devices = knownDevices();
    const first = createDeviceLogIn(devices, ['ada']);
    expect(await first?.find(passes)).toBeUndefined();
    const value = valueIn(first?.remember(GRANT, ADA));
    const [id = 'none'] = value.split('.');
    const second = createDeviceLogIn(devices, ['ada'], [value]);
    expect(await second?.find(passes)).toBe(id);
    expect(valueIn(second?.remember(GRANT, ADA)).split('.')[0]).toBe(id);
    const elsewhere = createDeviceLogIn(devices, ['ada']);
    expect(valueIn(elsewhere?.remember(GRANT, ADA)).split('.')[0]).not.toBe(id);
  });

  it('is refused by its id before the host is asked', async () => {
    const devices = knownDevices();
    const value = valueIn(createDeviceLogIn(devices, ['ada'])?.remember(GRANT, ADA));
    const refused: string[] = [];
    const device = createDeviceLogIn(devices, ['ada'], [value]);
    const refuse = (ids: readonly string[]) => {
      refused.push(...ids);
      throw new AuthError('rate_limited', 'locked');
    };
    await expect(device?.find(refuse)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(refused).toEqual([value.split('.')[0]]);
  });

  it('changes nothing of a grant where the verifier gives no password version', () => {
    const device = createDeviceLogIn(knownDevices(), ['ada']);
    expect(device?.remember(GRANT, { uid: '7' })).toBe(GRANT);
  });

  it.each<[string, readonly unknown[]]>([
    ['no account', []],
    ['several accounts', ['ada', 'bob']],
    ['a login that is too long', ['x'.repeat(257)]],
    ['a login that is no text', [7]],
  ])('does not exist where the credentials name %s', (_, logins) => {
    expect(createDeviceLogIn(knownDevices(), logins)).toBeUndefined();
  });

  it('does not exist without known devices', () => {
    expect(createDeviceLogIn(undefined, ['ada'])).toBeUndefined();
  });
});
