export type { QueueContractOptions } from '../../contract/queue-contract.ts';
export { queueContract } from '../../contract/queue-contract.ts';
export type { StorageContractOptions } from '../../contract/storage-contract.ts';
export { storageContract } from '../../contract/storage-contract.ts';
export type { ReceivedRequest } from './received-request.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export { createTestReceiver, type TestReceiver } from './test-receiver.ts';
