import { WebhookError } from '../../errors.ts';
import type { DeliverySummary } from '../../storage/delivery-record.ts';
import { problemOf } from '../admin-problem.ts';
import { MAX_DURATION_MS } from '../max-duration.ts';
import { bulkBody, redeliverBody } from '../schemas/bulk.ts';
import { deliveryOutcomes, webhookOutcomes } from '../schemas/delivery-answers.ts';
import { noParams } from '../schemas/paths.ts';
import { noQuery } from '../schemas/queries.ts';
import { type AdministeredWebhooks, defineRoute, type RouteContext } from './route.ts';

/** The operations on a selection. Each item is an operation of its own: one may fail alone. */
export const BULK_ROUTES = [
  defineRoute({
    name: 'changeWebhooks',
    method: 'POST',
    path: '/bulk',
    success: 200,
    summary: 'Change several webhooks',
    description:
      'Pauses, activates or removes each of at most 100 webhooks, one after the other, as the single operations do. One that is so already stays as it is, and its outcome is `unchanged`. Those that were not begun within 15 s stay as they are, too: `not_reached`. One that fails keeps none of the others back: `results` says what became of each. With `dry_run` nothing changes.',
    tag: 'Webhooks',
    params: noParams,
    query: noQuery,
    body: bulkBody,
    answer: webhookOutcomes,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks, report }, { body: { action, webhooks: ids, dry_run: isDryRun = false } }) => {
      const outcomes = await outcomesOf(ids, report, async (id) => {
        const { isActive } = await webhooks.get(id);
        if (isActive === ACTIVITY[action]) return 'unchanged';
        if (!isDryRun) await CHANGES[action](webhooks)(id);
        return 'done';
      });
      const results = outcomes.map(({ item, outcome }) => ({ webhook_id: item, outcome }));
      return { results, done: results.filter(isDone).length, dry_run: isDryRun };
    },
    audit: ({ body }, { results, dry_run: isDryRun }) =>
      isDryRun
        ? []
        : results
            .filter(isDone)
            .map(({ webhook_id: webhookId }) =>
              body.action === 'delete'
                ? { action: 'webhook.deleted', target: { webhookId } }
                : { action: 'webhook.updated', target: { webhookId }, fields: ['is_active'] },
            ),
  }),
  defineRoute({
    name: 'redeliverMany',
    method: 'POST',
    path: '/deliveries/redeliver',
    success: 200,
    summary: 'Send several deliveries again',
    description:
      'Starts a new series of attempts for each of at most 100 deliveries, of any webhooks, one after the other, as the single operation does. One that fails keeps none of the others back: `results` says what became of each. Those that were not begun within 15 s are left out: `not_reached`. With `dry_run` nothing is sent.',
    tag: 'Deliveries',
    params: noParams,
    query: noQuery,
    body: redeliverBody,
    answer: deliveryOutcomes,
    problems: ['rate_limited', 'storage_unavailable'],
    handle: async ({ webhooks, report }, { body: { deliveries, dry_run: isDryRun = false } }) => {
      const target = isDryRun ? webhooks : webhooks.asOneCall();
      const webhookIds = new Map<string, number>();
      const outcomes = await outcomesOf(deliveries, report, async (deliveryId) => {
        const found = await findDelivery(webhooks, deliveryId);
        webhookIds.set(deliveryId, found.webhookId);
        if (isDryRun) await assertEnded(webhooks, found);
        else await target.redeliver(found.webhookId, deliveryId);
        return 'done';
      });
      const results = outcomes.map(({ item: deliveryId, outcome }) => ({
        delivery_id: deliveryId,
        webhook_id: webhookIds.get(deliveryId) ?? null,
        outcome,
      }));
      return { results, done: results.filter(isDone).length, dry_run: isDryRun };
    },
    audit: (_, { results, dry_run: isDryRun }) => {
      const redelivered = isDryRun ? [] : results.filter(isDone);
      return redelivered.flatMap(({ delivery_id: deliveryId, webhook_id: webhookId }) =>
        webhookId === null
          ? []
          : [{ action: 'delivery.redelivered' as const, target: { webhookId, deliveryId } }],
      );
    },
  }),
] as const;

/** What a webhook is after an action; one that is so already is left alone. */
const ACTIVITY = { pause: false, activate: true, delete: undefined } as const;

type Change = (webhooks: AdministeredWebhooks) => (id: number) => Promise<unknown>;

const CHANGES: Readonly<Record<'pause' | 'activate' | 'delete', Change>> = {
  pause: (webhooks) => (id) => webhooks.update(id, { isActive: false }),
  activate: (webhooks) => (id) => webhooks.update(id, { isActive: true }),
  delete: (webhooks) => (id) => webhooks.delete(id),
};

/** @throws WebhookError `delivery_not_found` */
async function findDelivery(webhooks: AdministeredWebhooks, deliveryId: string): Promise<DeliverySummary> {
  const [found] = (await webhooks.searchDeliveries({ deliveryId, limit: 1 })).deliveries;
  if (found === undefined) throw new WebhookError('delivery_not_found', 'There is no such delivery');
  return found;
}

/** @throws WebhookError as `redeliver` does */
async function assertEnded(
  webhooks: AdministeredWebhooks,
  { webhookId, status }: DeliverySummary,
): Promise<void> {
  const { isActive } = await webhooks.get(webhookId);
  if (!isActive) throw new WebhookError('webhook_inactive', 'The webhook is inactive: activate it first');
  if (status === 'pending') throw new WebhookError('delivery_pending', 'The delivery has not ended yet');
}

type Report = RouteContext['report'];

/** Operates on one item after the other. Those that it has no time for are `not_reached`. */
async function outcomesOf<Item>(
  items: readonly Item[],
  report: Report,
  operate: (item: Item) => Promise<string>,
) {
  const end = performance.now() + MAX_DURATION_MS;
  const outcomes: { readonly item: Item; readonly outcome: string }[] = [];
  for (const item of items) {
    const isLate = performance.now() > end;
    const mayFail = outcomes.some(isDone);
    const outcome = isLate ? 'not_reached' : await outcomeOf(operate(item), mayFail, report);
    outcomes.push({ item, outcome });
  }
  return outcomes;
}

/**
 * The outcome of one item. A failure on this side is the answer to the whole request, unless items
 * before it were done: the client learns which, and the log the reason.
 */
async function outcomeOf(operation: Promise<string>, mayFail: boolean, report: Report): Promise<string> {
  try {
    return await operation;
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status < 500) return problem.code;
    if (!mayFail) throw error;
    report(problem);
    return problem.code;
  }
}

function isDone({ outcome }: { readonly outcome: string }): boolean {
  return outcome === 'done';
}
