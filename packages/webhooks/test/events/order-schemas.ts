import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { z } from 'zod';
import type { PayloadSchema } from '../../src/events/payload-schema.ts';

/** A Standard Schema without a library: `validate` is all there is to it. */
export function schemaOf<Output extends object>(
  validate: (value: unknown) => StandardSchemaV1.Result<Output> | Promise<StandardSchemaV1.Result<Output>>,
): PayloadSchema<unknown, Output> {
  return { '~standard': { version: 1, vendor: 'handwritten', validate } };
}

/**
 * The same order in three libraries: `id` a number, `items` of `sku`, `note` with a default,
 * nothing else kept.
 */
export const ORDER_SCHEMAS: readonly { readonly library: string; readonly schema: PayloadSchema }[] = [
  {
    library: 'zod',
    schema: z.object({
      id: z.number(),
      items: z.array(z.object({ sku: z.string() })),
      note: z.string().default('none'),
    }),
  },
  {
    library: 'zod, asynchronous',
    schema: z.object({
      id: z.number().refine(async () => true),
      items: z.array(z.object({ sku: z.string() })),
      note: z.string().default('none'),
    }),
  },
  {
    library: 'valibot',
    schema: v.object({
      id: v.number(),
      items: v.array(v.object({ sku: v.string() })),
      note: v.optional(v.string(), 'none'),
    }),
  },
  {
    library: 'valibot, asynchronous',
    schema: v.objectAsync({
      id: v.pipeAsync(
        v.number(),
        v.checkAsync(async () => true),
      ),
      items: v.array(v.object({ sku: v.string() })),
      note: v.optional(v.string(), 'none'),
    }),
  },
  { library: 'no library', schema: schemaOf(checkOrder) },
  { library: 'no library, asynchronous', schema: schemaOf(async (value) => checkOrder(value)) },
];

function checkOrder(value: unknown): StandardSchemaV1.Result<object> {
  const { id, items, note = 'none' } = value as Partial<Record<string, unknown>>;
  const issues: StandardSchemaV1.Issue[] = [];
  if (typeof id !== 'number') issues.push({ message: `${String(id)} is no number`, path: ['id'] });
  for (const [index, item] of (items as unknown[]).entries()) {
    const sku = (item as { sku?: unknown }).sku;
    if (typeof sku !== 'string') {
      issues.push({ message: `${String(sku)} is no text`, path: [{ key: 'items' }, { key: index }, 'sku'] });
    }
  }
  return issues.length > 0 ? { issues } : { value: { id, items, note } };
}
