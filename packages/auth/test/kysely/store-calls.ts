import type { Kysely } from 'kysely';
import { API_KEY_STORE } from '../../src/api-keys/api-key-store.ts';
import type { StoreInterface } from '../../src/host-store.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { ONE_TIME_TOKEN_STORE } from '../../src/one-time-tokens/one-time-token-store.ts';
import { SESSION_STORE } from '../../src/sessions/store/session-store.ts';

export const NOW = 1_795_147_800;
const INSTANCE = '/api/admin';

export const TOKEN = { tokenHash: 'b'.repeat(64), instance: INSTANCE, now: NOW };
export const SESSION = {
  id: 'a'.repeat(32),
  uid: '42',
  instance: INSTANCE,
  tokenHash: 'b'.repeat(64),
  createdAt: NOW,
  expiresAt: NOW + 86_400,
  userAgent: '',
  ip: '',
};
/** Due for rotation. */
export const LONG_AGO = { ...SESSION, createdAt: NOW - 3_600 };
export const KEY = {
  id: 'c'.repeat(32),
  instance: INSTANCE,
  uid: '42',
  name: 'x',
  displayPrefix: 'x',
  keyHash: `sha256$${'d'.repeat(64)}`,
  scopes: [],
  createdAt: NOW,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

export const ONE_TIME_TOKEN = {
  tokenHash: 'e'.repeat(64),
  uid: '42',
  instance: INSTANCE,
  purpose: 'password_reset',
  issuedAt: NOW,
  expiresAt: NOW + 3_600,
};
const PRESENTED = { tokenHash: 'e'.repeat(64), instance: INSTANCE, purpose: 'password_reset', now: NOW };

/** A call of a store, and what its error says that it could not do in time. */
type Call = readonly [name: string, call: (db: Kysely<AuthTables>) => Promise<unknown>, words: string];

/** Every call of these stores, by name. */
export const CALLS: readonly Call[] = [
  ...Object.entries({
    create: [SESSION],
    useRefreshToken: [
      {
        ...TOKEN,
        rotateEverySeconds: 900,
        reuseGraceSeconds: 30,
        recordUseEverySeconds: 300,
        salt: 's',
        keyId: 'k',
        nextId: 'n',
        successorHash: () => 'h',
      },
    ],
    findByToken: [TOKEN],
    recordClients: [{ sessionId: SESSION.id, instance: INSTANCE, now: NOW, expected: [], refreshedFrom: [] }],
    revoke: [{ sessionId: SESSION.id, instance: INSTANCE, now: NOW, reason: 'logout' }],
    revokeAll: [{ uid: '42', instance: INSTANCE, now: NOW, reason: 'revoked_all' }],
    // One session is too many for it, so that it comes to lock.
    revokeOldest: [
      { uid: '42', instance: INSTANCE, newestId: SESSION.id, keep: 0, now: NOW, reason: 'limit' },
    ],
    list: [{ uid: '42', instance: INSTANCE, now: NOW, limit: 1 }],
    listRevocations: [{ instance: INSTANCE, since: 0, limit: 1 }],
    purge: [{ expiredBefore: NOW, limit: 1 }],
  }).map(([method, parameters]) => callOf('sessions', SESSION_STORE, method, parameters, kyselySessionStore)),
  ...Object.entries({
    add: [KEY],
    findByHash: [{ keyHash: KEY.keyHash, instance: INSTANCE }],
    list: [{ uid: '42', instance: INSTANCE, limit: 1 }],
    revoke: [{ id: KEY.id, uid: '42', instance: INSTANCE, now: NOW }],
    revokeAll: [{ uid: '42', instance: INSTANCE, now: NOW }],
    recordUse: [[KEY.id], NOW],
  }).map(([method, parameters]) => callOf('API keys', API_KEY_STORE, method, parameters, kyselyApiKeyStore)),
  ...Object.entries({
    issue: [{ ...ONE_TIME_TOKEN, tokenHash: 'f'.repeat(64) }],
    consume: [PRESENTED],
    find: [PRESENTED],
    revokeAll: [{ uid: '42', instance: INSTANCE, now: NOW }],
    purge: [{ expiredBefore: NOW, limit: 1 }],
  }).map(([method, parameters]) =>
    callOf('one-time tokens', ONE_TIME_TOKEN_STORE, method, parameters, kyselyOneTimeTokenStore),
  ),
  ['migrateAuth', (db) => migrateAuth(db), 'migrateAuth could not begin'],
];

function callOf(
  of: string,
  { label, methods }: StoreInterface<object>,
  method: string,
  parameters: readonly unknown[],
  storeOn: (db: Kysely<AuthTables>) => object,
) {
  const call = (db: Kysely<AuthTables>): Promise<unknown> => {
    const store = storeOn(db);
    return Reflect.apply(Reflect.get(store, method), store, parameters);
  };
  return [`${of}: ${method}`, call, `${label} could not ${Reflect.get(methods, method)}`] as const;
}
