import { testOutboxExample } from './outbox-example.ts';

testOutboxExample('drizzle-outbox');
