import { type Clock, timestampText } from '../clock.ts';
import { searchedPatterns } from '../events/pattern.ts';
import { disablesAtOf, downSinceOf, levelOf, shownRun } from '../storage/failure-run.ts';
import {
  MAX_PENDING_COUNTED,
  type OverviewRecord,
  type StatusCounts,
  type WebhookHealth,
} from '../storage/overview-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import type { OverviewQuery } from '../storage/webhook-requests.ts';
import { existingWebhook } from './existing-webhook.ts';
import { readInput } from './read-input.ts';
import { createTenantList, type TenantList } from './tenants.ts';
import type {
  Changes,
  ChangesInput,
  DeliveryCounts,
  ListWebhooksInput,
  ReportedHealth,
  WebhookConcurrency,
  WebhookDetail,
  WebhookPage,
} from './webhook-input.ts';

import { refuseLostTenant, whoseOf } from './whose.ts';

/** Reads webhooks, and how they are. */
export interface WebhookOverview extends TenantList {
  /**
   * Returns one webhook with the counts of its retained deliveries by status, its health, and when
   * the engine is to deactivate it.
   *
   * @throws WebhookError `webhook_not_found`
   */
  get(id: number): Promise<WebhookDetail>;
  /**
   * Returns one page of webhooks, each with its newest delivery and its health.
   *
   * @throws WebhookError `validation_failed`
   */
  list(input?: ListWebhooksInput): Promise<WebhookPage>;
  /**
   * Tells cheaply whether anything changed: `version` is another text after a webhook was created,
   * changed or deleted, and after a delivery of one of `webhookIds` was created, ended, reopened or
   * purged. Attempts in between do not change it. Without `webhookIds`, every new delivery does,
   * and no ended one.
   *
   * It reads a few rows per webhook, whatever the number of deliveries. Of more than 200 pending
   * deliveries that transactions of the host wrote, it may miss one until that has ended.
   *
   * @throws WebhookError `validation_failed`
   */
  changes(input?: ChangesInput): Promise<Changes>;
}

const DAY_MS = 86_400_000;
const NO_HEALTH: WebhookHealth = { success: 0, failed: 0, lastSuccessAt: null, lastFailureAt: null };

/** @internal */
export function createWebhookOverview(deps: {
  readonly tenant?: string | undefined;
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'listWebhooks' | 'readOverview' | 'readRevision'>;
  readonly clock: Clock;
  /** 0: never. */
  readonly disableAfterFailingMs: number;
  readonly recoverAfterOutage: boolean;
  readonly requiresTenant?: boolean;
  readonly concurrencyOf: (webhookId: number) => WebhookConcurrency | undefined;
}): WebhookOverview {
  const { storage, clock, disableAfterFailingMs, recoverAfterOutage } = deps;

  const aDayAgo = () => timestampText(clock() - DAY_MS);

  /** Of webhooks that were removed meanwhile there is no record. */
  async function overviewOf(
    webhooks: readonly Webhook[],
    parts: Omit<OverviewQuery, 'webhookIds'>,
  ): Promise<ReadonlyMap<number, OverviewRecord>> {
    if (webhooks.length === 0) return new Map();
    const webhookIds = webhooks.map(({ id }) => id);
    const query = { webhookIds, healthSince: aDayAgo(), failureRun: shownRun, ...parts };
    const records = await storage.readOverview(query);
    return new Map(records.map((record) => [record.webhookId, record]));
  }

  return {
    ...createTenantList(deps),

    async get(id) {
      const webhook = await existingWebhook(storage, id);
      const overview = (await overviewOf([webhook], { counts: true, pausedAt: clock() })).get(id);
      return {
        ...webhook,
        stats: deliveryCounts(overview?.counts),
        health: reported(overview, recoverAfterOutage, clock()),
        disablesAt: disablesAtOf(overview?.failureRun, disableAfterFailingMs, clock()),
        concurrency: deps.concurrencyOf(id) ?? null,
        busyUntil: overview?.pausedUntil ?? null,
      };
    },

    async list(input = {}) {
      if (deps.requiresTenant) refuseLostTenant(input);
      const { tenant, active, health, search, ...page } = await readInput(
        ({ listInput }) => listInput,
        input,
      );
      const whose = whoseOf(deps.tenant, tenant);
      const found = await storage.listWebhooks({
        ...page,
        ...(whose === undefined ? {} : { tenant: whose }),
        ...(active === undefined ? {} : { isActive: active }),
        healthSince: aDayAgo(),
        now: clock(),
        ...(health === undefined ? {} : { level: health }),
        ...(search && { search, ...searchedPatterns(search) }),
      });
      const overview = await overviewOf(found.webhooks, { lastDelivery: true });
      const webhooks = found.webhooks.map((webhook) => ({
        ...webhook,
        lastDelivery: overview.get(webhook.id)?.lastDelivery ?? null,
        health: reported(overview.get(webhook.id), recoverAfterOutage, clock()),
      }));
      return { webhooks, total: found.total, limit: page.limit, offset: page.offset };
    },

    async changes(input = {}) {
      const { webhookIds } = await readInput(({ changesInput }) => changesInput, input);
      return { version: await storage.readRevision(webhookIds) };
    },
  };
}

function deliveryCounts(counts: StatusCounts | undefined): DeliveryCounts {
  const { success = 0, failed = 0, pending: waiting = 0 } = counts ?? {};
  const pending = Math.min(waiting, MAX_PENDING_COUNTED + 1);
  return { total: success + failed + pending, success, failed, pending };
}

function reported(
  { health = NO_HEALTH, failureRun = null }: Partial<OverviewRecord> = {},
  isRecovered: boolean,
  now: number,
): ReportedHealth {
  const { success, failed, lastSuccessAt, lastFailureAt } = health;
  const level = levelOf(health, failureRun, now);
  const ended = success + failed;
  return {
    success,
    failed,
    successRate: ended === 0 ? null : success / ended,
    level,
    downSince: downSinceOf(failureRun, now) || null,
    busySince: failureRun?.busySince || null,
    isRecovering: isRecovered && (failureRun?.recoverUntil ?? '') !== '',
    lastSuccessAt,
    lastFailureAt,
  };
}
