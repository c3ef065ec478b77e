export type { StoreContractOptions } from '../../contract/store/store-contract.ts';
export {
  apiKeyStoreContract,
  loginFailureStoreContract,
  oneTimeTokenStoreContract,
  sessionStoreContract,
} from '../../contract/store-contracts.ts';
export { authenticateAs, withClaims } from './claims-injection.ts';
