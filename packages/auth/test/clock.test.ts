import { describe, expect, it } from 'vitest';
import { type Clock, unixSeconds } from '../src/clock.ts';
import {
  createApiKeys,
  createOneTimeTokens,
  memoryApiKeyStore,
  memoryOneTimeTokenStore,
} from '../src/index.ts';
import { instanceAt } from './fake-clock.ts';
import { Browser, sessionHost } from './sessions/session-host.ts';

const BROKEN: readonly (readonly [gives: string, value: unknown])[] = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['8640000000000001', 8.64e15 + 1],
  ['undefined', undefined],
  ['1795147800000', '1795147800000'],
  ['1795147800000', 1_795_147_800_000n],
  ['Invalid Date', new Date(Number.NaN)],
];

it('reads a clock in whole seconds', () => {
  expect([unixSeconds(() => 1_999), unixSeconds(() => 0), unixSeconds(() => -1)]).toEqual([1, 0, -1]);
});

describe.each(BROKEN)('a clock that gives %s', (text, value) => {
  const clock = (() => value) as Clock;
  const error = new TypeError(`clock must give milliseconds since the Unix epoch, got ${text}`);

  it('is named by whatever needs the time, and lets nobody in', async () => {
    const host = sessionHost({ clock, authOptions: { clock } });
    await expect(host.sessions.loginAs('7')).rejects.toThrow(error);
    await expect(host.auth.issueAccessToken('7', [])).rejects.toThrow(error);
    const { accessToken } = await sessionHost().sessions.loginAs('7');
    await expect(host.auth.validateAccessToken(accessToken)).rejects.toThrow(error);
    const tokens = createOneTimeTokens({ store: memoryOneTimeTokenStore(), auth: instanceAt(clock) });
    await expect(tokens.issue({ uid: '7', purpose: 'reset' })).rejects.toThrow(error);
    const apiKeys = createApiKeys({ store: memoryApiKeyStore(), auth: instanceAt(clock) });
    await expect(apiKeys.revokeAllOf('7')).rejects.toThrow(error);
    expect((await new Browser(host).logIn()).status).toBe(503);
  });
});
