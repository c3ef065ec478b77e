export { apiKeyStoreContract } from '../../contract/api-key-store-contract.ts';
export { loginFailureStoreContract } from '../../contract/login-failure-store-contract.ts';
export { oneTimeTokenStoreContract } from '../../contract/one-time-token-store-contract.ts';
export { sessionStoreContract } from '../../contract/session-store-contract.ts';
export type { StoreContractOptions } from '../../contract/store/store-contract.ts';
export { authenticateAs, withClaims } from './claims-injection.ts';
