import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createTargets } from '../../src/dispatch/targets.ts';
import { defineEvents, type KnownEvent, knownEvents } from '../../src/events/catalog.ts';
import type { Logger } from '../../src/logging/logger.ts';

const events = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant' },
  'fraud.found': { label: 'Fraud found' },
});

function targets(options: { requiresTenant?: boolean; knownEvents?: readonly KnownEvent[] } = {}) {
  const { requiresTenant = false } = options;
  const warnings: unknown[] = [];
  const ignored = () => {};
  const warn = (fields: unknown) => void warnings.push(fields);
  const logger = { debug: ignored, info: ignored, error: ignored, warn } as Logger;
  return { targetOf: createTargets({ events, logger, ...options, requiresTenant }), warnings };
}

describe('whom a dispatch reaches', () => {
  inOneTest([
    ['the host alone, without a tenant', 'order.paid', {}, undefined, ['']],
    ['the host alone, for null', 'order.paid', { tenant: null }, undefined, ['']],
    ['the tenant and the host', 'order.paid', { tenant: 'acme' }, 'acme', ['', 'acme']],
    ['the tenant alone', 'order.paid', { tenant: 'acme', only: 'tenant' }, 'acme', ['acme']],
    ['no customer, of an internal event', 'fraud.found', { tenant: 'acme' }, 'acme', ['']],
    [
      'nobody, of an internal event for customers',
      'fraud.found',
      { tenant: 'acme', only: 'tenant' },
      'acme',
      [],
    ],
    ['no customer, of an event that no catalog knows', 'other.event', { tenant: 'acme' }, 'acme', ['']],
    ['no customer, of an administration event', 'user.created', { tenant: 'acme' }, 'acme', ['']],
    ['no customer, of a name that objects have', 'constructor.name', { tenant: 'acme' }, 'acme', ['']],
  ])('is %s', (_, event, options, tenant, tenants) => {
    const found = targets().targetOf(event, options);
    expect([found.tenant, found.target.tenants]).toEqual([tenant, tenants]);
  });

  inOneTest([
    [{ tenant: '' }, /1 to 64 printable/],
    [{ tenant: 'acme ' }, /1 to 64 printable/],
    [{ tenant: 7 }, /1 to 64 printable/],
    [{ tenant: ['acme'] }, /1 to 64 printable/],
    [{ only: 'tenant' }, /needs a tenant/],
    [{ only: 'tenant', tenant: null }, /needs a tenant/],
    [{ only: 'host', tenant: 'acme' }, /only must be/],
  ])('refuses %j', (options, message) => {
    expect(() => targets().targetOf('order.paid', options)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(message) }),
    );
  });

  it('must be said where tenants are required', () => {
    const { targetOf } = targets({ requiresTenant: true });
    expect(() => targetOf('order.paid', {})).toThrow(/tenant is required/);
    expect(() => targetOf('order.paid', { tenant: undefined })).toThrow(/tenant is required/);
    expect(targetOf('order.paid', { tenant: null }).target.tenants).toEqual(['']);
    expect(targetOf('order.paid', { tenant: 'acme' }).target.tenants).toEqual(['', 'acme']);
  });

  it('warns once of each event that is dispatched for a tenant and is not for tenants', () => {
    const { targetOf, warnings } = targets();
    for (const event of ['fraud.found', 'order.paid', 'fraud.found']) targetOf(event, { tenant: 'acme' });
    expect(warnings).toEqual([{ event: 'fraud.found', tenant: 'acme' }]);
    for (let n = 0; n < 200; n += 1) targetOf(`made.up_${n}`, { tenant: 'acme' });
    expect(warnings).toHaveLength(100);
  });

  it('warns once of each event that the catalog does not have, and names the nearest that it has', () => {
    const { targetOf, warnings } = targets({ knownEvents: knownEvents(events) });
    for (const event of ['order.payed', 'order.paid', 'order.payed', 'user.created']) targetOf(event, {});
    targetOf('odrer.paid', { tenant: 'acme' });
    expect(warnings).toEqual([
      { event: 'order.payed', nearest: 'order.paid' },
      { event: 'odrer.paid', nearest: 'order.paid' },
    ]);
  });
});
