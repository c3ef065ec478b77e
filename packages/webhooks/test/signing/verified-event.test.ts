import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { isWebhookError, verify, type WebhookError } from '../../src/signing/index.ts';
import { ORDER_SCHEMAS, schemaOf } from '../events/order-schemas.ts';
import { atAttempt, ID, received, SECRET } from './received-callback.ts';

const TIMESTAMP = '2026-11-20T04:10:00.123Z';

/** A genuine callback of that event, as `verify` takes it. */
function callback(type: string, data: unknown) {
  const body = JSON.stringify({ type, timestamp: TIMESTAMP, data });
  return { secret: SECRET, headers: received(body), body, now: atAttempt };
}

async function refusal(verified: Promise<unknown>): Promise<WebhookError> {
  const error = await verified.catch((thrown: unknown) => thrown);
  if (!isWebhookError(error)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe.each(ORDER_SCHEMAS)('verify with a catalog of $library', ({ schema }) => {
  const events = { 'order.created': { label: 'Order placed', payload: schema } };
  const order = { id: 7, items: [{ sku: 'A-1' }] };

  it('gives the data as it was sent when it fits', async () => {
    const data = { ...order, since_version_2: true };
    expect(await verify({ ...callback('order.created', data), events })).toEqual({
      id: ID,
      isTest: false,
      type: 'order.created',
      timestamp: TIMESTAMP,
      data,
    });
  });

  it('refuses genuine data that does not fit, naming the fields', async () => {
    const error = await refusal(
      verify({ ...callback('order.created', { ...order, id: 'id-4711' }), events }),
    );
    expect(error).toMatchObject({ code: 'invalid_payload', errors: [{ field: 'id' }] });
    expect(JSON.stringify([error.message, error.errors])).not.toContain('4711');
  });

  it('checks the signature first', async () => {
    const forged = { ...callback('order.created', { id: 'wrong' }), headers: received('{}') };
    expect((await refusal(verify({ ...forged, events }))).code).toBe('signature_mismatch');
  });
});

describe('verify with a catalog', () => {
  const events = defineEvents({
    'order.created': { label: 'Order placed', payload: z.object({ id: z.int() }) },
    'invoice.sent': { label: 'Invoice sent' },
  });

  inOneTest(['order.shipped', 'invoice.sent', 'user.created', 'toString', '__proto__'])(
    'gives an event without a schema unchecked: %s',
    async (type) => {
      expect(await verify({ ...callback(type, { any: 'thing' }), events })).toMatchObject({
        type,
        data: { any: 'thing' },
      });
    },
  );

  it('tells a known event by its type', async () => {
    const event = await verify({ ...callback('order.created', { id: 7 }), events });
    expect(event.type === 'order.created' ? event.data.id + 1 : undefined).toBe(8);
  });

  it('checks nothing where the catalog is a type alone', async () => {
    const event = await verify<typeof events>(callback('order.created', { id: 'seven' }));
    expect(event.data).toEqual({ id: 'seven' });
  });

  it('fails with schema_failed when the schema throws', async () => {
    const cause = new Error('broken');
    const broken = schemaOf(() => Promise.reject(cause));
    const error = await refusal(
      verify({ ...callback('a.b', {}), events: { 'a.b': { label: 'A', payload: broken } } }),
    );
    expect(error).toMatchObject({ code: 'schema_failed', cause });
  });

  inOneTest([[null], [[]], ['events']])('refuses %j in place of a catalog', async (wrong) => {
    const call = verify as (input: object) => Promise<unknown>;
    await expect(call({ ...callback('a.b', {}), events: wrong })).rejects.toThrow(TypeError);
  });
});
