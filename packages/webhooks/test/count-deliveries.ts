import { shownRun } from '../src/storage/failure-run.ts';
import type { WebhookStorage } from '../src/storage/storage.ts';

type Overviews = Pick<WebhookStorage, 'readOverview'>;

/** A webhook's deliveries by status; zeros if there is no such webhook. */
export async function countDeliveries({ readOverview }: Overviews, webhookId: number) {
  const [overview] = await readOverview({ webhookIds: [webhookId], counts: true });
  const { success, failed, pending } = overview?.counts ?? { success: 0, failed: 0, pending: 0 };
  return { total: success + failed + pending, success, failed, pending };
}

/** A webhook's deliveries by hour. */
export async function readActivity(
  { readOverview }: Overviews,
  { webhookId, ...activity }: { webhookId: number; from: string; to: string },
) {
  const [overview] = await readOverview({ webhookIds: [webhookId], activity });
  return overview?.activity ?? [];
}

/** How many deliveries failed since the last success. */
export async function countFailures({ readOverview }: Overviews, webhookId: number) {
  const [overview] = await readOverview({ webhookIds: [webhookId], failureRun: shownRun });
  return overview?.failureRun?.failed ?? 0;
}
