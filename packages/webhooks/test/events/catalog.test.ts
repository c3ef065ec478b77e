import { describe, expect, it } from 'vitest';
import { BUILT_IN_EVENTS, defineEvents, knownEvents } from '../../src/events/catalog.ts';

describe('the event catalog', () => {
  it('knows the sixteen built-in events', () => {
    expect(BUILT_IN_EVENTS.map(({ name }) => name)).toEqual([
      'user.registered',
      'user.created',
      'user.updated',
      'user.deleted',
      'user.bulk_deleted',
      'admin.created',
      'admin.updated',
      'admin.deleted',
      'admin.bulk_deleted',
      'role.created',
      'role.updated',
      'role.deleted',
      'session.revoked',
      'session.bulk_revoked',
      'setting.updated',
      'webhook.test',
    ]);
  });

  it("lists the host's own events after the built-in ones, each name once", () => {
    const events = knownEvents(
      defineEvents({
        'order.created': { label: 'Order placed' },
        'user.created': { label: 'New colleague' },
      }),
    );
    expect(events).toHaveLength(BUILT_IN_EVENTS.length + 1);
    expect(events.at(-1)).toEqual({ name: 'order.created', label: 'Order placed' });
    expect(events).toContainEqual({ name: 'user.created', label: 'New colleague' });
  });

  it.each([
    ['a name without a verb', { order: { label: 'Order' } }],
    ['a pattern as a name', { 'order.*': { label: 'Order' } }],
    ['an empty label', { 'order.created': { label: '' } }],
    ['a label of 201 characters', { 'order.created': { label: 'x'.repeat(201) } }],
    ['a missing label', { 'order.created': {} as { label: string } }],
    [
      '1,001 events',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`a.b${i}`, { label: 'x' }])),
    ],
  ])('refuses %s', (_, catalog) => {
    expect(() => defineEvents(catalog)).toThrow(TypeError);
  });
});
