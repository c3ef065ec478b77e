export { queueContract } from './queue-contract.ts';
export type { ReceivedRequest } from './received-request.ts';
export { storageContract } from './storage-contract.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export { createTestReceiver, type TestReceiver } from './test-receiver.ts';
