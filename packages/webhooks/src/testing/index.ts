export type { QueueUnderTest } from './queue-contract/queue-stage.ts';
export { type QueueContractOptions, queueContract } from './queue-contract.ts';
export type { ContractClock, StorageUnderTest } from './storage-contract/contract-stage.ts';
export { type ContractCase, type StorageContractOptions, storageContract } from './storage-contract.ts';
