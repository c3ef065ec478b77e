import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { BUILT_IN_EVENTS, defineEvents, type EventCatalog, knownEvents } from '../../src/events/catalog.ts';
import { schemaOf } from './order-schemas.ts';

describe('the event catalog', () => {
  it("lists the host's own events after the built-in ones, each name once, and the test event last", () => {
    const events = knownEvents(
      defineEvents({
        'order.created': { label: 'Order placed' },
        'user.created': { label: 'New colleague' },
      }),
    );
    expect(events).toHaveLength(BUILT_IN_EVENTS.length + 1);
    expect(events.slice(-2).map(({ name }) => name)).toEqual(['order.created', 'webhook.test']);
    expect(events).toContainEqual({ name: 'user.created', label: 'New colleague' });
  });

  it('is a copy that nobody changes', () => {
    const given = { 'order.created': { label: 'Order placed', payload: z.object({}) } };
    const events = defineEvents(given);
    expect(events).toEqual(given);
    expect(events).not.toBe(given);
    expect(Object.isFrozen(events)).toBe(true);
  });

  inOneTest<[string, unknown, RegExp]>([
    ['no object', null, /must be an object/],
    ['a name without a verb', { order: { label: 'Order' } }, /"order" is no event name/],
    ['a pattern as a name', { 'order.*': { label: 'Order' } }, /"order\.\*" is no event name/],
    ['an empty label', { 'order.created': { label: '' } }, /label of "order\.created"/],
    ['a label of 201 characters', { 'order.created': { label: 'x'.repeat(201) } }, /1–200 characters/],
    ['a missing label', { 'order.created': {} }, /label of "order\.created"/],
    ['a definition that is text', { 'order.created': 'Order placed' }, /"order\.created" must be an object/],
    [
      'a misspelt member',
      { 'order.created': { label: 'Order', schema: z.object({}) } },
      /unknown member "schema" \(known: label, payload, example, audience\)/,
    ],
    ['a payload that is no schema', { 'order.created': { label: 'Order', payload: {} } }, /Standard Schema/],
    [
      'a payload without validate',
      { 'order.created': { label: 'Order', payload: { '~standard': { version: 1, vendor: 'x' } } } },
      /Standard Schema/,
    ],
    [
      'a payload of webhook.test',
      { 'webhook.test': { label: 'Test', payload: z.object({}) } },
      /"webhook\.test" has a payload of its own/,
    ],
    [
      '1,001 events',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`a.b${i}`, { label: 'x' }])),
      /1001 given, at most 1000/,
    ],
  ])('refuses %s, naming it', (_, catalog, message) => {
    expect(() => defineEvents(catalog as EventCatalog)).toThrow(TypeError);
    expect(() => defineEvents(catalog as EventCatalog)).toThrow(message);
  });

  it('takes a schema that is a function', () => {
    const payload = Object.assign(
      () => {},
      schemaOf(() => ({ value: {} })),
    );
    expect(() => defineEvents({ 'order.created': { label: 'Order', payload } })).not.toThrow();
  });
});

describe('the audience of an event', () => {
  it('takes an audience, and keeps administration events from tenants', () => {
    const label = 'x';
    const define = (name: string, audience: never) => () => defineEvents({ [name]: { label, audience } });
    const given = (audience: unknown) => audience as never;
    expect(define('order.paid', given('tenant'))).not.toThrow();
    expect(define('order.paid', given('internal'))).not.toThrow();
    expect(define('order.paid', given('tenants'))).toThrow(/must be "tenant" or "internal"/);
    expect(define('user.created', given('tenant'))).toThrow(/"user.created" is never for tenants/);
    expect(define('user.created', given('internal'))).not.toThrow();
    expect(define('webhook.test', given('internal'))).toThrow(/always for tenants/);
    expect(define('webhook.test', given('tenant'))).not.toThrow();
  });
});
