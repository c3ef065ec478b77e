import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineEvents, exampleOf } from '../../src/events/catalog.ts';

const payload = z.object({ id: z.int() });
const label = 'Order placed';

it('an example is given out as a copy of its JSON', () => {
  const events = defineEvents({
    'order.created': { label, example: { id: 7, at: new Date(0), no: undefined } },
  });
  const copy = exampleOf(events, 'order.created');
  expect(copy).toEqual({ id: 7, at: '1970-01-01T00:00:00.000Z' });
  expect(exampleOf(events, 'order.created')).not.toBe(copy);
  expect(exampleOf(events, 'toString')).toBeUndefined();
});

it.each([
  ['a list', []],
  ['what JSON cannot express', { id: 1n }],
  ['more than 32,768 bytes', { text: 'x'.repeat(32_768) }],
  ['more than 32,768 bytes in fewer characters', { text: '字'.repeat(11_000) }],
])('an example that is %s is refused', (_what, example) => {
  expect(() => defineEvents({ 'order.created': { label, example } })).toThrow(
    'the example of "order.created" must be an object of at most 32768 bytes of JSON',
  );
});

it('an example that does not fit its schema is refused', () => {
  const events = { 'order.created': { label, payload, example: { id: 'seven' } } };
  expect(() => defineEvents(events)).toThrow(
    'the example of "order.created" does not fit its payload schema',
  );
});

it('an example of an asynchronous schema is not checked before it is sent', () => {
  const later = payload.refine(async () => false);
  const events = { 'order.created': { label, payload: later, example: { id: 7 } } };
  expect(() => defineEvents(events)).not.toThrow();
});

it('the test event has no example of the host', () => {
  const events = { 'webhook.test': { label, example: {} } };
  expect(() => defineEvents(events)).toThrow('"webhook.test" has a payload of its own already');
});
