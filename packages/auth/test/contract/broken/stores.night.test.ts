import { describe, expect, test } from 'vitest';
import type { Breaks } from '../../../../../test/contract/breaking.ts';
import { failuresOf, testBreaks } from '../../../../../test/contract/breaking.ts';
import { apiKeyStoreContract } from '../../../contract/api-key-store-contract.ts';
import { loginFailureStoreContract } from '../../../contract/login-failure-store-contract.ts';
import { oneTimeTokenStoreContract } from '../../../contract/one-time-token-store-contract.ts';
import { sessionStoreContract } from '../../../contract/session-store-contract.ts';
import type { StoreContractCase, StoreContractOptions } from '../../../contract/store/store-contract.ts';
import type { StoreUnderTest } from '../../../contract/store/store-harness.ts';
import { memoryApiKeyStore } from '../../../src/api-keys/memory-api-key-store.ts';
import { memoryOneTimeTokenStore } from '../../../src/one-time-tokens/memory-one-time-token-store.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { memoryLoginFailures } from '../memory-login-failures.ts';
import { brokenApiKeys, brokenOneTimeTokens } from './keys-and-tokens.ts';
import { brokenLoginFailures } from './login-failures.ts';
import { brokenSessions } from './sessions.ts';

type Contract<Store> = (
  createStore: () => Promise<StoreUnderTest<Store>>,
  options?: StoreContractOptions,
) => readonly StoreContractCase[];

function testContract<Store extends object>(
  contract: Contract<Store>,
  createSound: () => Store,
  breaks: Breaks<Store>,
): void {
  testBreaks(breaks, createSound, (create) => contract(async () => ({ store: create(), async close() {} })));

  test('notices processes that share nothing', async () => {
    const cases = contract(
      async () => ({ store: createSound(), secondProcess: createSound(), async close() {} }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringMatching(/shows (each|every) process/));
  });
}

describe('apiKeyStoreContract', () => testContract(apiKeyStoreContract, memoryApiKeyStore, brokenApiKeys));
describe('loginFailureStoreContract', () =>
  testContract(loginFailureStoreContract, memoryLoginFailures, brokenLoginFailures));
describe('oneTimeTokenStoreContract', () =>
  testContract(oneTimeTokenStoreContract, memoryOneTimeTokenStore, brokenOneTimeTokens));
describe('sessionStoreContract', () =>
  testContract(sessionStoreContract, memorySessionStore, brokenSessions));
