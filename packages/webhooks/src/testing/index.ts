export type { ContractClock, StorageUnderTest } from './storage-contract/contract-stage.ts';
export { type ContractCase, type StorageContractOptions, storageContract } from './storage-contract.ts';
