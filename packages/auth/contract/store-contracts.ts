export { apiKeyStoreContract } from './api-key-store-contract.ts';
export { loginFailureStoreContract } from './login-failure-store-contract.ts';
export { oneTimeTokenStoreContract } from './one-time-token-store-contract.ts';
export { sessionStoreContract } from './session-store-contract.ts';
