import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { hashApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import type { ApiKeys } from '../../src/api-keys/api-keys.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import { Claims } from '../../src/claims.ts';
import {
  claimsOf,
  guarded,
  requireApiKey,
  requireAuthOrApiKey,
  requireScope,
} from '../../src/fetch/index.ts';
import { kyselyApiKeys, migrateAuth } from '../../src/kysely/index.ts';
import { fakeClock } from '../fake-clock.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { KEY } from '../tokens/forge-token.ts';

/** User 42, and administrator 42: two people. */
const FORTY_TWO = new Claims({ uid: '42', scopes: ['admin'] });

/** A validator of the host's own, which asks that of the keys. */
const wrapped = ({ validator }: ApiKeys) => ({ validator: (hash: string) => validator(hash) });

/** An application with two instances on one database, as the guide shows it. */
interface Host {
  readonly admins: Auth;
  readonly users: Auth;
  readonly adminKeys: ApiKeys;
  readonly userKeys: ApiKeys;
}

describe.each(databaseServers)('API keys of two instances on $name', ({ skipped, create }) => {
  /**
   * The instances that guards get: without one where a prefix alone binds the keys, because it is
   * the audience of none.
   */
  const guardsOf = ({ admins, users }: Host, binding: string) =>
    binding === 'prefix' ? { admins: undefined, users: undefined } : { admins, users };

  async function newHost(binding: 'auth' | 'instance' | 'prefix'): Promise<Host> {
    const database = untilFinished(await create());
    const db = database.open();
    await migrateAuth(db);
    const [clock, logger] = [fakeClock(), { error() {} }];
    const audience = binding === 'instance' ? { audience: false as const } : {};
    const admins = createAuth({ signingKey: KEY, clock, logger, ...audience });
    const users = createAuth({ signingKey: KEY, cookiePath: '/api', clock, logger, ...audience });
    const keysOf = (auth: Auth, name: string) => {
      const options = {
        auth: { auth, prefix: name },
        instance: { auth, instance: name },
        prefix: { prefix: name },
      };
      return kyselyApiKeys(db, options[binding]);
    };
    return { admins, users, adminKeys: keysOf(admins, 'adm'), userKeys: keysOf(users, 'usr') };
  }

  /** Asks as a program with this key, over a guard of the instance. */
  async function ask(
    auth: Auth | undefined,
    keys: { validator: ApiKeyValidator },
    key: string,
    scopeOf?: Auth,
  ) {
    const guard = auth ? requireAuthOrApiKey(auth, keys.validator) : requireApiKey(keys.validator);
    const scope = scopeOf === undefined ? [] : [requireScope(scopeOf, 'admin')];
    const handler = guarded([guard, ...scope], (request) => Response.json(claimsOf(request)));
    const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${key}` } });
    const response = await handler(request);
    return { status: response.status, ...((await response.json()) as { uid?: string; code?: string }) };
  }

  describe.each(['auth', 'instance', 'prefix'] as const)('bound by %s', (binding) => {
    test.skipIf(skipped)("refuses the other instance's key as it does an unknown one", async () => {
      const host = await newHost(binding);
      const { adminKeys, userKeys } = host;
      const { admins, users } = guardsOf(host, binding);
      const { key: ofUser } = await userKeys.create(FORTY_TWO, { name: 'x', scopes: ['admin'] });
      const { key: ofAdmin } = await adminKeys.create(FORTY_TWO, { name: 'x', scopes: ['admin'] });
      expect(await ask(users, userKeys, ofUser)).toMatchObject({ status: 200, uid: '42' });
      expect(await ask(admins, adminKeys, ofAdmin)).toMatchObject({ status: 200, uid: '42' });
      expect(await ask(admins, adminKeys, ofUser)).toMatchObject({ status: 401, code: 'token_invalid' });
      expect(await ask(users, userKeys, ofAdmin)).toMatchObject({ status: 401, code: 'token_invalid' });
    });

    test.skipIf(skipped || binding !== 'auth')(
      'refuses the key of users in a guard of the administrators, whoever wires the lookup',
      async () => {
        const { users, admins, adminKeys, userKeys } = await newHost(binding);
        const { key } = await userKeys.create(FORTY_TWO, { name: 'x', scopes: ['admin'] });
        expect(await ask(users, userKeys, key)).toMatchObject({ status: 200, uid: '42' });
        expect(await ask(admins, wrapped(userKeys), key)).toMatchObject({
          status: 401,
          code: 'token_invalid',
        });
        const ofUser = new Claims({ ...FORTY_TWO, audience: users.options.audience });
        for (const attempt of [
          adminKeys.create(ofUser, { name: 'x', scopes: ['admin'] }),
          adminKeys.list(ofUser),
          adminKeys.revoke(ofUser, '0'.repeat(32)),
        ]) {
          await expect(attempt).rejects.toThrow(TypeError);
        }
        expect(await userKeys.create(ofUser, { name: 'y' })).toMatchObject({ uid: '42' });
      },
    );

    test.skipIf(skipped || binding === 'instance')(
      'refuses the key of users for what administrators may do, whoever wires the lookup',
      async () => {
        const { admins, userKeys } = await newHost(binding);
        const { key } = await userKeys.create(FORTY_TWO, { name: 'x', scopes: ['admin'] });
        expect(await ask(admins, wrapped(userKeys), key)).toMatchObject({
          status: 401,
          code: 'token_invalid',
        });
        expect(await ask(undefined, userKeys, key, admins)).toMatchObject({ status: 403 });
        expect(await ask(undefined, userKeys, key)).toMatchObject({ status: 200, uid: '42' });
      },
    );

    test.skipIf(skipped)("neither lists nor revokes the other instance's keys", async () => {
      const { adminKeys, userKeys } = await newHost(binding);
      const ofUser = await userKeys.create(FORTY_TWO, { name: 'x' });
      const ofAdmin = await adminKeys.create(FORTY_TWO, { name: 'x' });
      expect((await userKeys.list(FORTY_TWO)).map(({ id }) => id)).toEqual([ofUser.id]);
      expect(await userKeys.revoke(FORTY_TWO, ofAdmin.id)).toBe(false);
      expect(await userKeys.revokeAllOf('42')).toBe(1);
      expect(await userKeys.validator(hashApiKey(ofUser.key))).toBeNull();
      expect(await adminKeys.validator(hashApiKey(ofAdmin.key))).toMatchObject({ uid: '42' });
    });

    test.skipIf(skipped)('binds a key alike whatever prefix it is given by itself', async () => {
      const host = await newHost(binding);
      const { adminKeys, userKeys } = host;
      const { admins, users } = guardsOf(host, binding);
      const { key } = await userKeys.create(FORTY_TWO, { name: 'x' }, { prefix: 'adm' });
      expect(key).toMatch(/^adm_/);
      expect(await ask(users, userKeys, key)).toMatchObject({ status: 200, uid: '42' });
      expect(await ask(admins, adminKeys, key)).toMatchObject({ status: 401, code: 'token_invalid' });
    });
  });
});
