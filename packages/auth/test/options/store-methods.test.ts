import { describe, expect, it } from 'vitest';
import { API_KEY_STORE, type ApiKeyStore } from '../../src/api-keys/api-key-store.ts';
import {
  ONE_TIME_TOKEN_STORE,
  type OneTimeTokenStore,
} from '../../src/one-time-tokens/one-time-token-store.ts';
import { SESSION_STORE, type SessionStore } from '../../src/sessions/store/session-store.ts';
import { LOGIN_FAILURE_STORE, type LoginFailureStore } from '../../src/throttle/login-failure-store.ts';

/** Its methods without the optional ones: one that is missing here, or gone, does not compile. */
type Methods<Service> = {
  [Name in keyof Service as object extends Pick<Service, Name> ? never : Name]: true;
};

const SESSION_STORE_METHODS: Methods<SessionStore> = {
  create: true,
  useRefreshToken: true,
  findByToken: true,
  recordClients: true,
  revoke: true,
  revokeAll: true,
  revokeOldest: true,
  list: true,
  listRevocations: true,
  purge: true,
};
const API_KEY_STORE_METHODS: Methods<ApiKeyStore> = {
  add: true,
  findByHash: true,
  list: true,
  revoke: true,
  revokeAll: true,
  recordUse: true,
};
const LOGIN_FAILURE_STORE_METHODS: Methods<LoginFailureStore> = {
  add: true,
  forget: true,
};
const ONE_TIME_TOKEN_STORE_METHODS: Methods<OneTimeTokenStore> = {
  issue: true,
  consume: true,
  find: true,
  revokeAll: true,
  purge: true,
};

describe('what a service of the host must have', () => {
  it.each([
    [SESSION_STORE, SESSION_STORE_METHODS],
    [API_KEY_STORE, API_KEY_STORE_METHODS],
    [LOGIN_FAILURE_STORE, LOGIN_FAILURE_STORE_METHODS],
    [ONE_TIME_TOKEN_STORE, ONE_TIME_TOKEN_STORE_METHODS],
  ] as const)('is every method of the interface: $0.name', ({ methods }, expected) => {
    expect([...methods].sort()).toEqual(Object.keys(expected).sort());
  });
});
