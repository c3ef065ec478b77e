import { expect } from 'vitest';
import { behindNetwork } from '../../../../test/services/behind-network.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { DatabaseServer } from './database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from './example-rows.ts';

const ANSWER_TIMEOUT_MS = 1_000;

interface PreparedCall {
  /** Around the network. */
  prepare?(storage: WebhookStorage): Promise<unknown>;
  run(storage: WebhookStorage, id: number): Promise<unknown>;
}

const dispatch = (storage: WebhookStorage) => storage.recordDispatches([DISPATCH]);
const claim = async (storage: WebhookStorage) => {
  await dispatch(storage);
  return await storage.claimDueDeliveries(CLAIM);
};

/** What an engine does all day. */
export const STORAGE_CALLS: Readonly<Record<string, PreparedCall>> = {
  dispatch: { run: dispatch },
  claim: { prepare: dispatch, run: (storage) => storage.claimDueDeliveries(CLAIM) },
  result: { prepare: claim, run: (storage, id) => storage.recordAttempts([successOf(id)], RESULT_RULES) },
};

async function prepared({ create }: DatabaseServer, { prepare }: PreparedCall) {
  const behind = await behindNetwork<WebhookTables>(create, migrateWebhooks, {
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  const around = kyselyStorage(behind.direct);
  await around.createWebhook(NEW_WEBHOOK);
  await prepare?.(around);
  const storage = kyselyStorage(behind.db);
  // The first claim of an hour notes the hour.
  for (const one of [around, storage]) await one.claimDueDeliveries({ ...CLAIM, choose: () => new Map() });
  const [delivery] = await behind.direct.selectFrom('webhook_deliveries').select('id').execute();
  behind.executed.length = 0;
  return { ...behind, around, storage, id: Number(delivery?.id) };
}

/** The first words of the statements of a call. */
export async function statementsOf(server: DatabaseServer, call: PreparedCall): Promise<ReadonlySet<string>> {
  const { around, executed, id } = await prepared(server, call);
  await call.run(around, id);
  return new Set(executed);
}

/** Loses the answer to one statement of a call, on a pool of one connection, and calls again. */
export async function loseAnswer(
  server: DatabaseServer,
  call: PreparedCall,
  statement: string,
): Promise<void> {
  const { network, storage, id } = await prepared(server, call);
  // In pg's protocol the length before the text may be a letter, too.
  network.swallow(new RegExp(`${statement}\\b`));
  const begun = performance.now();
  await expect(call.run(storage, id), statement).rejects.toThrow(
    // Another statement of the call may have waited for the one connection.
    `within ${ANSWER_TIMEOUT_MS} ms`,
  );
  expect(performance.now() - begun).toBeGreaterThanOrEqual(ANSWER_TIMEOUT_MS - 1);
  expect(network.swallowed).toBe(1);
  await expect(call.run(storage, id)).resolves.toBeDefined();
}
