export type { TestAnswer, TestAnswerRule, TestResponse } from './answer-script.ts';
export type { QueueUnderTest } from './queue-contract/queue-harness.ts';
export { type QueueContractOptions, queueContract } from './queue-contract.ts';
export type { ReceivedRequest } from './received-request.ts';
export type { StorageUnderTest } from './storage-contract/contract-harness.ts';
export type { ContractClock } from './storage-contract/harness-reads.ts';
export { type ContractCase, type StorageContractOptions, storageContract } from './storage-contract.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export { createTestReceiver, type TestReceiver, type TestReceiverOptions } from './test-receiver.ts';
