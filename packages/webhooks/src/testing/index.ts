export type { TestAnswer, TestAnswerRule } from './answer-script.ts';
export type { QueueUnderTest } from './queue-contract/queue-harness.ts';
export { queueContract } from './queue-contract.ts';
export type { ReceivedRequest } from './received-request.ts';
export type { StorageUnderTest } from './storage-contract/contract-harness.ts';
export { storageContract } from './storage-contract.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export { createTestReceiver, type TestReceiver } from './test-receiver.ts';
