export type { ApiKeyStoreUnderTest } from './api-key-store-contract/api-key-harness.ts';
export {
  type ApiKeyStoreContractCase,
  type ApiKeyStoreContractOptions,
  apiKeyStoreContract,
} from './api-key-store-contract.ts';
export { authenticateAs, withClaims } from './claims-injection.ts';
export type { LoginFailureStoreUnderTest } from './login-failure-store-contract/login-failure-harness.ts';
export {
  type LoginFailureStoreContractCase,
  type LoginFailureStoreContractOptions,
  loginFailureStoreContract,
} from './login-failure-store-contract.ts';
export type { OneTimeTokenStoreUnderTest } from './one-time-token-store-contract/one-time-token-harness.ts';
export {
  type OneTimeTokenStoreContractCase,
  type OneTimeTokenStoreContractOptions,
  oneTimeTokenStoreContract,
} from './one-time-token-store-contract.ts';
export type { SessionStoreUnderTest } from './session-store-contract/session-harness.ts';
export {
  type SessionStoreContractCase,
  type SessionStoreContractOptions,
  sessionStoreContract,
} from './session-store-contract.ts';
export type { TestOptions } from './test-runner.ts';
