import type { Kysely, Transaction } from 'kysely';
import { expectTypeOf, test } from 'vitest';
import { kyselyStorage, migrateWebhooks, type webhookMigrations } from '../../src/kysely/index.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { SqlTransaction } from '../../src/transactions/index.ts';

/** A host's tables; one has a name of ours and another shape. */
interface Big {
  orders: { id: string; total: number; placed_at: Date };
  webhooks: { slug: string };
}

// The compiler is the test: `npm run check:types` fails where one of these does not hold.
test("takes the host's own instance and transaction, or one of another driver, without a cast", () => {
  expectTypeOf(kyselyStorage<Big>)
    .parameter(0)
    .toEqualTypeOf<Kysely<Big>>();
  expectTypeOf(kyselyStorage<Big>).returns.toEqualTypeOf<WebhookStorage<Transaction<Big> | SqlTransaction>>();
  expectTypeOf<(db: Kysely<Big>) => unknown>(migrateWebhooks).toBeFunction();
  type Dispatch = ReturnType<typeof kyselyStorage<Big>>['recordDispatches'];
  expectTypeOf<SqlTransaction>().toExtend<NonNullable<Parameters<Dispatch>[1]>>();
  expectTypeOf<Transaction<Big>>().toExtend<NonNullable<Parameters<Dispatch>[1]>>();
  expectTypeOf<{ commit(): void }>().not.toExtend<NonNullable<Parameters<Dispatch>[1]>>();
});

test('takes no transaction where there is none', () => {
  expectTypeOf(memoryStorage).returns.toEqualTypeOf<WebhookStorage<never>>();
});

test('lets a storage without transactions stand in where the host asks for none', () => {
  expectTypeOf<WebhookStorage<Transaction<Big>>>().toExtend<WebhookStorage>();
  expectTypeOf<typeof webhookMigrations>().toExtend<Record<string, { up(db: Kysely<Big>): Promise<void> }>>();
});
