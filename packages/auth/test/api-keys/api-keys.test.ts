import { describe, expect, it, test } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { hashApiKey, parseApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyStore } from '../../src/api-keys/api-key-store.ts';
import { createApiKeys } from '../../src/api-keys/api-keys.ts';
import type { ApiKeysOptions } from '../../src/api-keys/api-keys-options.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { createAuth } from '../../src/auth.ts';
import { Claims } from '../../src/claims.ts';
import { fakeClock, instanceAt, START } from '../fake-clock.ts';
import { KEY } from '../tokens/forge-token.ts';

const ADA = new Claims({ uid: 'ada', scopes: ['orders:read', 'orders:write'] });
const BOB = new Claims({ uid: 'bob', scopes: ['orders:read', 'admin'] });

const INSTANCE = '/api';

function setUp(options: Partial<ApiKeysOptions> = {}, breakOne: Partial<ApiKeyStore> = {}) {
  const clock = fakeClock();
  const store = { ...memoryApiKeyStore(), ...breakOne };
  const logged: object[] = [];
  const auth = instanceAt(clock, INSTANCE, (fields) => void logged.push(fields));
  const apiKeys = createApiKeys({ store, auth, ...options });
  return { clock, store, logged, apiKeys };
}

describe('createApiKeys', () => {
  inOneTest<[object, string]>([
    [{ bogus: 1 }, 'createApiKeys: unknown option "bogus"'],
    [{ auth: { options: { audience: '/api', clock: 5 } } }, 'clock must be a function'],
    [{ auth: { options: { audience: '/api', logger: {} } } }, 'logger must have a method'],
    [{ loadUser: {} }, 'loadUser must be a function'],
    [{ instance: '' }, 'instance must be a string of 1 to 256 characters'],
    [{ instance: 'x'.repeat(257) }, 'instance must be a string of 1 to 256 characters'],
    [{ instance: 7 }, 'instance must be a string'],
    [{ auth: undefined }, 'give auth, instance or prefix'],
    [{ instance: undefined, auth: {} }, 'auth must be an instance that createAuth made'],
    [{ instance: undefined, auth: createAuth({ signingKey: KEY, audience: false }) }, 'instance is required'],
    [{ instance: '/other', auth: createAuth({ signingKey: KEY }) }, 'instance must be the audience'],
  ])('refuses %j', (options, message) => {
    expect(() => setUp(options)).toThrow(TypeError);
    expect(() => setUp(options)).toThrow(message);
  });
});

describe('the instance', () => {
  const instanceOf = async (options: Partial<ApiKeysOptions>) => {
    const { apiKeys } = setUp({ auth: undefined, ...options });
    return (await apiKeys.create(ADA, { name: 'x' })).instance;
  };

  inOneTest<[string, Partial<ApiKeysOptions>]>([
    ['/api/admin', { auth: createAuth({ signingKey: KEY }) }],
    ['/api', { auth: createAuth({ signingKey: KEY, cookiePath: '/api' }), prefix: 'acme' }],
    ['staff', { auth: createAuth({ signingKey: KEY, audience: 'staff' }), instance: 'staff' }],
    ['staff', { auth: createAuth({ signingKey: KEY, audience: false }), instance: 'staff', prefix: 'acme' }],
    ['staff', { instance: 'staff', prefix: 'acme' }],
    ['acme', { prefix: 'acme' }],
  ])('is %j by %#', async (instance, options) => {
    expect(await instanceOf(options)).toBe(instance);
  });

  it('brings its clock and its logger along', async () => {
    const logged: object[] = [];
    const logger = { error: (fields: object) => void logged.push(fields) };
    const auth = createAuth({ signingKey: KEY, clock: fakeClock(), logger });
    const failing = { ...memoryApiKeyStore(), recordUse: () => Promise.reject(new Error('read-only')) };
    const apiKeys = createApiKeys({ store: failing, auth });
    const { key, createdAt } = await apiKeys.create(ADA, { name: 'x' });
    expect(createdAt).toBe(START);
    await apiKeys.validator(hashApiKey(key));
    await apiKeys.idle();
    expect(logged).toMatchObject([{ err: { cause: { message: 'read-only' } } }]);
  });

  it('is looked at again where a store finds the key of another', async () => {
    const sound = memoryApiKeyStore();
    const careless: Partial<ApiKeyStore> = {
      findByHash: ({ keyHash }) => sound.findByHash({ keyHash, instance: '/api/admin' }),
    };
    const admins = createApiKeys({ store: sound, instance: '/api/admin' });
    const { key } = await admins.create(ADA, { name: 'x' });
    expect(await setUp({}, careless).apiKeys.validator(hashApiKey(key))).toBeNull();
    expect(await admins.validator(hashApiKey(key))).toMatchObject({ uid: 'ada' });
  });
});

describe('loadUser', () => {
  async function setUpUser(scopes: string[] = ['orders:read', 'orders:write']) {
    const users = new Map<string, { scopes: unknown }>([['ada', { scopes }]]);
    const loadUser = async (uid: string) => users.get(uid) as { scopes: string[] } | undefined;
    const { apiKeys, clock } = setUp({ loadUser });
    const { key } = await apiKeys.create(ADA, { name: 'x', scopes: ['orders:read', 'orders:write'] });
    return { users, apiKeys, clock, validate: () => apiKeys.validator(hashApiKey(key)) };
  }

  it("stops a disabled user's keys with the next request, and only for as long", async () => {
    const { users, validate } = await setUpUser();
    expect(await validate()).toMatchObject({ uid: 'ada' });
    const ada = users.get('ada');
    users.delete('ada');
    expect(await validate()).toBeNull();
    if (ada !== undefined) users.set('ada', ada);
    expect(await validate()).toMatchObject({ uid: 'ada' });
  });

  it('takes from a key the scopes that its owner has lost, and gives it none that it lacked', async () => {
    const { users, validate } = await setUpUser();
    users.set('ada', { scopes: ['admin', 'orders:write'] });
    expect(await validate()).toMatchObject({ scopes: ['orders:write'] });
    users.set('ada', { scopes: [] });
    expect(await validate()).toMatchObject({ uid: 'ada', scopes: [] });
  });

  inOneTest([{}, { scopes: 'admin' }, { scopes: [7] }, 'ada', true])(
    'lets nobody in whom it describes as %j',
    async (user) => {
      const { users, validate } = await setUpUser();
      users.set('ada', user as { scopes: unknown });
      await expect(validate()).rejects.toThrow(TypeError);
    },
  );

  it('hands on its failure: nobody is let in', async () => {
    const failure = new Error('connection lost');
    const { apiKeys: before, store } = setUp();
    const { key } = await before.create(ADA, { name: 'x' });
    const { apiKeys } = setUp({ loadUser: () => Promise.reject(failure) }, store);
    await expect(apiKeys.validator(hashApiKey(key))).rejects.toBe(failure);
    await expect(apiKeys.create(ADA, { name: 'y' })).rejects.toBe(failure);
  });

  it('is asked for no key that is revoked, expired or unknown', async () => {
    const asked: string[] = [];
    const { apiKeys: before, store } = setUp();
    const { key } = await before.create(ADA, { name: 'x', expiresAt: START + 1 });
    const { apiKeys, clock } = setUp({ loadUser: async (uid) => void asked.push(uid) }, store);
    clock.advance(1);
    await expect(apiKeys.validator(hashApiKey(key))).rejects.toThrow();
    await apiKeys.revokeAllOf('ada');
    expect(await apiKeys.validator(hashApiKey(key))).toBeNull();
    expect(await apiKeys.validator(hashApiKey('unknown'))).toBeNull();
    expect(asked).toEqual([]);
  });

  it('keeps the key of a user that it does not know from being noted as used', async () => {
    const { users, apiKeys, validate } = await setUpUser();
    users.delete('ada');
    await validate();
    await apiKeys.idle();
    expect(await apiKeys.list(ADA)).toMatchObject([{ lastUsedAt: null }]);
  });
});

describe('a key in JSON', () => {
  const parsed = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

  it('is snake_case, with the raw key where it was just created, and without its hash', async () => {
    const { apiKeys } = setUp({ prefix: 'acme' });
    const created = await apiKeys.create(ADA, { name: 'x', scopes: ['orders:read'], expires_at: START + 60 });
    const json = {
      id: created.id,
      uid: 'ada',
      name: 'x',
      display_prefix: created.displayPrefix,
      scopes: ['orders:read'],
      created_at: START,
      expires_at: START + 60,
      last_used_at: null,
      revoked_at: null,
    };
    expect(parsed(created)).toEqual({ ...json, key: created.key });
    expect(parsed(await apiKeys.list(ADA))).toEqual([json]);
  });

  it('has no member more than the names say, whatever its store lists', async () => {
    const sound = memoryApiKeyStore();
    const list: ApiKeyStore['list'] = async (query) =>
      (await sound.list(query)).map((key) => ({ ...key, keyHash: 'sha256$secret' }));
    const { apiKeys } = setUp({}, { ...sound, list });
    await apiKeys.create(ADA, { name: 'x' });
    expect(JSON.stringify(await apiKeys.list(ADA))).not.toContain('secret');
  });

  inOneTest([
    { expires_at: START + 60, expiresAt: START + 60 },
    { expires_at: START },
    { expires_at: '2027' },
  ])('refuses %j in its input', async (fields) => {
    const input = { name: 'x', ...fields } as { name: string };
    await expect(setUp().apiKeys.create(ADA, input)).rejects.toMatchObject({ code: 'input_invalid' });
  });

  it('takes null for a key that does not expire', async () => {
    expect((await setUp().apiKeys.create(ADA, { name: 'x', expires_at: null })).expiresAt).toBeNull();
  });
});

describe('create', () => {
  it('gives the key once, and stores its hash alone', async () => {
    const { apiKeys, store } = setUp({ prefix: 'acme' });
    const created = await apiKeys.create(ADA, { name: 'Deploys', scopes: ['orders:read'] });
    expect(parseApiKey(created.key)).toEqual({
      prefix: 'acme',
      displayPrefix: created.displayPrefix,
      isIntact: true,
    });
    const { key, ...listed } = created;
    expect(listed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      instance: INSTANCE,
      uid: 'ada',
      name: 'Deploys',
      displayPrefix: key.slice(0, 'acme_'.length + 8),
      scopes: ['orders:read'],
      createdAt: START,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    const stored = await store.findByHash({ keyHash: hashApiKey(key), instance: INSTANCE });
    expect(stored).toEqual({ ...listed, keyHash: hashApiKey(key) });
    expect(JSON.stringify([stored, await apiKeys.list(ADA)])).not.toContain(key.slice(-20));
  });

  it('takes a prefix for one key, and refuses a malformed one', async () => {
    const { apiKeys } = setUp();
    const { key } = await apiKeys.create(ADA, { name: 'x' }, { prefix: 'acme_live' });
    expect(key).toMatch(/^acme_live_/);
    expect((await apiKeys.create(ADA, { name: 'x' })).key).toMatch(/^key_/);
    await expect(apiKeys.create(ADA, { name: 'x' }, { prefix: 'Acme' })).rejects.toThrow(TypeError);
    expect(() => setUp({ prefix: 'Acme' })).toThrow(TypeError);
  });

  it('grants nothing that the owner does not hold', async () => {
    const { apiKeys } = setUp();
    await expect(apiKeys.create(ADA, { name: 'x', scopes: ['orders:read', 'admin'] })).rejects.toMatchObject({
      code: 'insufficient_scope',
      scope: 'admin',
    });
    await expect(apiKeys.create(ADA, { name: 'x', scopes: ['orders'] })).rejects.toMatchObject({
      status: 403,
    });
    expect(await apiKeys.list(ADA)).toEqual([]);
    expect((await apiKeys.create(ADA, { name: 'x' })).scopes).toEqual([]);
    expect((await apiKeys.create(ADA, { name: 'x', scopes: ['orders:read', 'orders:read'] })).scopes).toEqual(
      ['orders:read'],
    );
  });

  inOneTest<[string, unknown]>([
    ['an owner', { name: 'x', uid: 'bob' }],
    ['an owner by another name', { name: 'x', userId: 'bob' }],
    ['an id', { name: 'x', id: '0'.repeat(32) }],
    ['a hash', { name: 'x', keyHash: `sha256$${'0'.repeat(64)}` }],
    ['a polluting member', JSON.parse('{"name":"x","__proto__":{"uid":"bob"}}')],
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name of 129 characters', { name: 'x'.repeat(129) }],
    ['a name with U+0000', { name: 'a\0b' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a name with a line separator', { name: 'a\u2028b' }],
    ['a name that turns the text around it', { name: 'a\u202eb' }],
    ['a name with half of a surrogate pair', { name: 'a\ud800' }],
    ['a numeric name', { name: 1 }],
    ['scopes as text', { name: 'x', scopes: 'orders:read' }],
    ['65 scopes', { name: 'x', scopes: Array(65).fill('orders:read') }],
    ['an object as a scope', { name: 'x', scopes: [{}] }],
    ['an expiry that has passed', { name: 'x', expiresAt: START }],
    ['an expiry in milliseconds', { name: 'x', expiresAt: (START + 60) * 1000 }],
    ['a fractional expiry', { name: 'x', expiresAt: START + 0.5 }],
    ['an expiry as text', { name: 'x', expiresAt: '2027-01-01' }],
    ['an array', []],
    ['text', 'x'],
    ['null', null],
    ['nothing', undefined],
  ])('refuses %s in its input', async (_, input) => {
    const { apiKeys } = setUp();
    await expect(apiKeys.create(ADA, input as { name: string })).rejects.toMatchObject({
      code: 'input_invalid',
      status: 422,
    });
    expect([...(await apiKeys.list(ADA)), ...(await apiKeys.list(BOB))]).toEqual([]);
  });
});

describe('the owner', () => {
  test.each<[string, unknown]>([
    ["a request's body", JSON.parse('{"uid":"ada","scopes":["orders:read"],"credential":null}')],
    ['a copy of claims', { ...ADA }],
    ['a uid', 'ada'],
    ['nothing', undefined],
  ])('is never taken from %s', async (_, owner) => {
    const { apiKeys } = setUp();
    const claims = owner as Claims;
    await expect(apiKeys.create(claims, { name: 'x' })).rejects.toThrow(TypeError);
    await expect(apiKeys.list(claims)).rejects.toThrow(TypeError);
    await expect(apiKeys.revoke(claims, '0'.repeat(32))).rejects.toThrow(TypeError);
  });

  test('manages no keys with an API key', async () => {
    const byKey = new Claims({ uid: 'ada', scopes: ['orders:read'], credential: 'api_key' });
    const { apiKeys } = setUp();
    const { id } = await apiKeys.create(ADA, { name: 'x' });
    for (const attempt of [
      apiKeys.create(byKey, { name: 'y' }),
      apiKeys.list(byKey),
      apiKeys.revoke(byKey, id),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'session_required', status: 403 });
    }
    expect(await apiKeys.list(ADA)).toMatchObject([{ id, revokedAt: null }]);
    const allowing = setUp({ dangerouslyAllowManagementByApiKey: true }).apiKeys;
    expect((await allowing.create(byKey, { name: 'y' })).uid).toBe('ada');
  });

  test('sees and revokes their own keys alone', async () => {
    const { apiKeys, clock } = setUp();
    const { id } = await apiKeys.create(ADA, { name: 'x' });
    const bobs = await apiKeys.create(BOB, { name: 'y' });
    expect((await apiKeys.list(BOB)).map((key) => key.id)).toEqual([bobs.id]);
    expect(await apiKeys.revoke(BOB, id)).toBe(false);
    clock.advance(5);
    expect(await apiKeys.revoke(ADA, id)).toBe(true);
    expect(await apiKeys.revoke(ADA, id)).toBe(true);
    expect(await apiKeys.list(ADA)).toMatchObject([{ id, revokedAt: START + 5 }]);
  });
});

describe('list', () => {
  it('pages, newest first', async () => {
    const { apiKeys, clock } = setUp();
    for (const name of ['one', 'two', 'three']) {
      await apiKeys.create(ADA, { name });
      clock.advance(1);
    }
    const first = await apiKeys.list(ADA, { limit: 2 });
    expect(first.map(({ name }) => name)).toEqual(['three', 'two']);
    const second = await apiKeys.list(ADA, { limit: 2, after: first.at(-1) });
    const inJson = JSON.parse(JSON.stringify(first.at(-1)));
    expect(await apiKeys.list(ADA, { limit: 2, after: inJson })).toEqual(second);
    expect(
      await apiKeys.list(ADA, { limit: 2, after: { id: inJson.id, created_at: inJson.created_at } }),
    ).toEqual(second);
    expect(second.map(({ name }) => name)).toEqual(['one']);
  });

  inOneTest<[string, object]>([
    ['a page of none', { limit: 0 }],
    ['a page of 201', { limit: 201 }],
    ['a limit that is no number', { limit: '10' }],
    ['a place without a time', { after: { id: '0'.repeat(32) } }],
    ['a place whose id is an object', { after: { id: {}, createdAt: 1 } }],
    ['null as a place', { after: null }],
    ['a place whose time is text', { after: { id: '0'.repeat(32), created_at: '1' } }],
    ['a member that does not exist', { before: {} }],
  ])('refuses %s', async (_, page) => {
    await expect(setUp().apiKeys.list(ADA, page)).rejects.toMatchObject({ code: 'input_invalid' });
  });
});

describe('revoke', () => {
  inOneTest([undefined, null, 7, {}, ['x'], '', '%', "' or 1=1 --", 'A'.repeat(32), '0'.repeat(31)])(
    'finds no key of the id %j, and does not ask',
    async (id) => {
      const { apiKeys } = setUp({}, { revoke: () => Promise.reject(new Error('asked')) });
      expect(await apiKeys.revoke(ADA, id as string)).toBe(false);
    },
  );

  it('ends every key of a user at once', async () => {
    const { apiKeys } = setUp();
    const keys = [await apiKeys.create(ADA, { name: 'x' }), await apiKeys.create(ADA, { name: 'y' })];
    const { key: bobs } = await apiKeys.create(BOB, { name: 'z' });
    expect(await apiKeys.revokeAllOf('ada')).toBe(2);
    for (const { key } of keys) expect(await apiKeys.validator(hashApiKey(key))).toBeNull();
    expect(await apiKeys.validator(hashApiKey(bobs))).toMatchObject({ uid: 'bob' });
    await expect(apiKeys.revokeAllOf('')).rejects.toThrow(TypeError);
  });
});

describe('the validator', () => {
  it("gives the key's owner, scopes and times", async () => {
    const { apiKeys } = setUp();
    const input = { name: 'x', scopes: ['orders:read'], expiresAt: START + 60 };
    const { key } = await apiKeys.create(ADA, input);
    expect(await apiKeys.validator(hashApiKey(key))).toEqual({
      uid: 'ada',
      audience: INSTANCE,
      scopes: ['orders:read'],
      issuedAt: START,
      expiresAt: START + 60,
    });
    const { key: endless } = await apiKeys.create(ADA, { name: 'x' });
    expect(await apiKeys.validator(hashApiKey(endless))).toMatchObject({ expiresAt: 0 });
  });

  it('refuses a revoked key as an unknown one, expired or not', async () => {
    const { apiKeys, clock } = setUp();
    const { key, id } = await apiKeys.create(ADA, { name: 'x', expiresAt: START + 60 });
    await apiKeys.revoke(ADA, id);
    expect(await apiKeys.validator(hashApiKey(key))).toBeNull();
    clock.advance(60);
    expect(await apiKeys.validator(hashApiKey(key))).toBeNull();
  });

  inOneTest([
    '',
    'sha256$',
    `sha256$${'A'.repeat(64)}`,
    `sha256$${'0'.repeat(64)} `,
    `md5$${'0'.repeat(64)}`,
    '0'.repeat(64),
  ])('asks its store for nothing that is no hash: %j', async (hash) => {
    const { apiKeys } = setUp({}, { findByHash: () => Promise.reject(new Error('asked')) });
    expect(await apiKeys.validator(hash)).toBeNull();
  });

  inOneTest(['', 'sha256$', `sha256$${'0'.repeat(63)}`, `sha256$${'0'.repeat(63)}A`, '\u{1F511}'])(
    'takes no key for another that a loose store finds: %j',
    async (keyHash) => {
      const sound = memoryApiKeyStore();
      const { apiKeys } = setUp(
        {},
        {
          async findByHash() {
            const [key] = await sound.list({ uid: 'ada', instance: INSTANCE, limit: 1 });
            return key && { ...key, keyHash };
          },
          add: (key) => sound.add(key),
        },
      );
      const { key } = await apiKeys.create(ADA, { name: 'x' });
      expect(await apiKeys.validator(hashApiKey(key))).toBeNull();
    },
  );

  it('hands on the failure of its store or clock: nobody is let in', async () => {
    const failure = new Error('connection lost');
    const hash = `sha256$${'0'.repeat(64)}`;
    const { apiKeys } = setUp({}, { findByHash: () => Promise.reject(failure) });
    await expect(apiKeys.validator(hash)).rejects.toMatchObject({ code: 'unavailable', cause: failure });
    const sound = setUp();
    const { key } = await sound.apiKeys.create(ADA, { name: 'x' });
    const broken = createApiKeys({ store: sound.store, auth: instanceAt(() => Number.NaN) });
    await expect(broken.validator(hashApiKey(key))).rejects.toThrow('clock');
  });
});

describe('the last use', () => {
  it('is written once in 60 s, however often the key is used', async () => {
    const writes: (readonly string[])[] = [];
    const sound = memoryApiKeyStore();
    const { apiKeys, clock } = setUp(
      {},
      {
        ...sound,
        recordUse: (ids, usedAt) => {
          writes.push(ids);
          return sound.recordUse(ids, usedAt);
        },
      },
    );
    const { key, id } = await apiKeys.create(ADA, { name: 'x' });
    const hash = hashApiKey(key);
    await Promise.all(Array.from({ length: 50 }, () => apiKeys.validator(hash)));
    clock.advance(59);
    await apiKeys.validator(hash);
    await apiKeys.idle();
    expect(writes).toEqual([[id]]);
    expect(await apiKeys.list(ADA)).toMatchObject([{ lastUsedAt: START }]);
    clock.advance(1);
    await apiKeys.validator(hash);
    await apiKeys.idle();
    expect(writes).toEqual([[id], [id]]);
    expect(await apiKeys.list(ADA)).toMatchObject([{ lastUsedAt: START + 60 }]);
  });

  it('is not written again by a process that finds it written by another', async () => {
    const { apiKeys, store, clock } = setUp();
    const { key, id } = await apiKeys.create(ADA, { name: 'x' });
    await store.recordUse([id], START);
    let writes = 0;
    const other = createApiKeys({
      auth: instanceAt(clock),
      store: {
        ...store,
        recordUse: async () => {
          writes += 1;
        },
      },
    });
    await other.validator(hashApiKey(key));
    await other.idle();
    expect(writes).toBe(0);
  });

  it('is not noted for a key that is refused', async () => {
    let writes = 0;
    const { apiKeys, clock } = setUp(
      {},
      {
        recordUse: async () => {
          writes += 1;
        },
      },
    );
    const { key } = await apiKeys.create(ADA, { name: 'x', expiresAt: START + 1 });
    clock.advance(1);
    await apiKeys.validator(hashApiKey(key)).catch(() => undefined);
    await apiKeys.idle();
    expect(writes).toBe(0);
  });

  it('delays no request, however long it takes to write', async () => {
    let finish = () => {};
    const { apiKeys } = setUp({}, { recordUse: () => new Promise<void>((resolve) => (finish = resolve)) });
    const { key } = await apiKeys.create(ADA, { name: 'x' });
    expect(await apiKeys.validator(hashApiKey(key))).toMatchObject({ uid: 'ada' });
    expect(await apiKeys.validator(hashApiKey(key))).toMatchObject({ uid: 'ada' });
    finish();
    await apiKeys.idle();
  });

  it('fails no request: a failure to write is reported, and not repeated by every request', async () => {
    let writes = 0;
    const failure = new Error('read-only');
    const { apiKeys, logged, clock } = setUp(
      {},
      {
        async recordUse() {
          writes += 1;
          throw failure;
        },
      },
    );
    const { key } = await apiKeys.create(ADA, { name: 'x' });
    for (let second = 0; second < 60; second += 1) {
      expect(await apiKeys.validator(hashApiKey(key))).toMatchObject({ uid: 'ada' });
      await apiKeys.idle();
      clock.advance(1);
    }
    expect([writes, logged]).toMatchObject([1, [{ err: { code: 'unavailable', cause: failure } }]]);
  });
});
