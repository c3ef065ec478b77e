import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { takeSightings } from '../../../../test/secrets/outlets.ts';
import { createAuth } from '../../src/auth.ts';
import { resolveLogger } from '../../src/logging/logger.ts';
import { sessionHost } from '../sessions/session-host.ts';

const REFRESH_TOKEN = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb22c3f2a1d0e9f8a7b6c';
const at = (outlet: string) => `a refresh token, a hash or a signature at ${outlet}`;

it('every logger and hook of the suite is watched for secrets, also where a test gives none', async () => {
  expect(takeSightings()).toEqual([]);
  resolveLogger({ error: () => {} }).error({ cause: { detail: REFRESH_TOKEN } }, 'x');
  resolveLogger({ error: () => {} }).error({}, REFRESH_TOKEN);
  expect(takeSightings()).toEqual([at('logger.error'), at('logger.error')]);

  const auth = createAuth({ signingKey: randomBytes(32) });
  auth.revocations.onRevoke(() => {});
  auth.revocations.revokeSession(REFRESH_TOKEN);
  await new Promise((resolve) => setImmediate(resolve));
  expect(takeSightings()).toEqual([at('onRevoke')]);

  const { sessions } = sessionHost();
  await sessions.revokeAll(REFRESH_TOKEN);
  console.error(new Error('x', { cause: REFRESH_TOKEN }));
  expect(takeSightings()).toEqual(expect.arrayContaining([at('console.error')]));
});
