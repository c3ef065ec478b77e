import { expect } from 'vitest';
import { testOutboxExample } from './outbox-example.ts';

testOutboxExample('fastify-postgres', (example) => {
  expect(example.output().match(/Worker \d+ delivers/g)).toHaveLength(2);
});
