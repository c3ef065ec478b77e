import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { WebhookError } from '../../src/errors.ts';
import { checkPayload } from '../../src/events/payload-check.ts';
import type { PayloadSchema } from '../../src/events/payload-schema.ts';
import { ORDER_SCHEMAS, schemaOf } from './order-schemas.ts';

async function refusal(schema: PayloadSchema, payload: unknown, timeoutMs?: number): Promise<WebhookError> {
  try {
    await checkPayload('order.created', schema, payload, timeoutMs);
  } catch (error) {
    return error as WebhookError;
  }
  throw new Error('the payload was accepted');
}

describe.each(ORDER_SCHEMAS)('a payload checked with $library', ({ library, schema }) => {
  it('becomes what the schema makes of it', async () => {
    const payload = { id: 7, items: [{ sku: 'A-1' }], secret: 'stripped' };
    expect(await checkPayload('order.created', schema, payload)).toEqual({
      output: { id: 7, items: [{ sku: 'A-1' }], note: 'none' },
    });
  });

  it('is checked at once unless the schema waits', () => {
    const checked = checkPayload('order.created', schema, { id: 7, items: [] });
    expect(checked instanceof Promise).toBe(library.endsWith('asynchronous'));
  });

  it('is refused with the fields that do not fit, and none of their values', async () => {
    const error = await refusal(schema, { id: 'id-4711', items: [{ sku: 'A-1' }, {}, { sku: 4712 }] });
    expect(error).toMatchObject({ name: 'WebhookError', code: 'invalid_payload' });
    expect(error.errors.map(({ field }) => field)).toEqual(['id', 'items[1].sku', 'items[2].sku']);
    expect(error.errors[1]?.code).toBe('required');
    expect(error.message).toBe('The payload does not fit the schema of order.created');
    expect(JSON.stringify([error.message, error.errors, error.cause])).not.toMatch(/471[12]|A-1/);
  });
});

describe('the refusal of a payload', () => {
  it('has the codes of zod where the schema is one of zod', async () => {
    const schema = z.strictObject({
      name: z.string().min(2),
      count: z.int().max(9),
      kind: z.enum(['a', 'b']),
      at: z.date(),
    });
    const payload = { name: 'x', count: 10, kind: 'c', at: 'now', extra: 1, more: 2 };
    const { errors } = await refusal(schema, payload);
    expect(errors.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'at invalid_type',
      'count too_big',
      'extra unknown_field',
      'kind invalid_value',
      'more unknown_field',
      'name too_small',
    ]);
  });

  it('lists at most 20 fields, and cuts a path at 200 characters', async () => {
    const many = await refusal(z.record(z.string(), z.number()), manyWrong(1_000));
    expect(many.errors).toHaveLength(20);
    const unknown = await refusal(z.strictObject({}), manyWrong(1_000));
    expect(unknown.errors).toHaveLength(20);
    const deep = await refusal(z.record(z.string(), z.number()), { ['k'.repeat(5_000)]: 'text' });
    expect(deep.errors[0]?.field).toHaveLength(200);
  });

  it('is one without fields where the schema gives no issue', async () => {
    expect(
      await refusal(
        schemaOf(() => ({ issues: [] })),
        {},
      ),
    ).toMatchObject({ code: 'invalid_payload', errors: [] });
  });
});

describe('a schema that does not do its part', () => {
  const cause = new Error('the schema is broken');

  inOneTest<[string, PayloadSchema]>([
    [
      'throws',
      schemaOf(() => {
        throw cause;
      }),
    ],
    ['rejects', schemaOf(() => Promise.reject(cause))],
    [
      'throws while its issues are read',
      schemaOf(() => ({
        get issues(): never {
          throw cause;
        },
      })),
    ],
  ])('fails with schema_failed and the cause when it %s', async (_, schema) => {
    expect(await refusal(schema, {})).toMatchObject({
      code: 'schema_failed',
      message: 'The payload schema of order.created threw',
      cause,
    });
  });

  inOneTest<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'fine'],
    ['neither a value nor issues', {}],
    ['issues that are no array', { issues: 'wrong' }],
    ['an issue that is no object', { issues: [null] }],
  ])('fails with schema_failed when it answers %s', async (_, answer) => {
    expect(
      await refusal(
        schemaOf(() => answer as never),
        {},
      ),
    ).toMatchObject({ code: 'schema_failed' });
    expect(
      await refusal(
        schemaOf(async () => answer as never),
        {},
      ),
    ).toMatchObject({ code: 'schema_failed' });
  });

  it('is not waited for when it hangs, and may end later without a trace', async () => {
    let reject: (reason: unknown) => void = () => {};
    const hanging = schemaOf(
      () =>
        new Promise<never>((_, refuse) => {
          reject = refuse;
        }),
    );
    expect(await refusal(hanging, {}, 5)).toMatchObject({
      code: 'schema_failed',
      message: 'The payload schema of order.created did not answer within 5 ms',
    });
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    reject(cause);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

function manyWrong(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'text']));
}
