import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Logger } from '../logging/logger.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import type { DeliveryPlace } from '../storage/delivery-requests.ts';
import type { FailureStep, KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { later } from './outage-steps.ts';
import { UNSENT } from './outcome.ts';

/** What is reopened at once, and before another look goes on. */
const BATCH = 500;
const BATCHES_PER_LOOK = 20;
const DAY_MS = 86_400_000;
/** An outage is recovered, and probed, for this long. */
const MAX_OUTAGE_MS = 3 * DAY_MS;
/** A recovery is over when its deliveries have ended, or after this long. */
const MAX_DRAINING_MS = 3_600_000;
/** Not for lack of an answer: sent again they would end in the same way. */
const NOT_REOPENED: readonly string[] = [...UNSENT, 'webhook_inactive', 'expired'];

/** The dependencies of {@link createOutageRecovery}. */
export interface RecoveryDependencies {
  readonly storage: Pick<
    WebhookStorage,
    'findWebhook' | 'stepFailures' | 'reopenDeliveries' | 'findDeliveries' | 'readOverview'
  >;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly logger: Logger;
  readonly announce: Announce;
}

/** @internal Reopens deliveries of outages, for the process that the storage lets go first. */
export function createOutageRecovery(deps: RecoveryDependencies) {
  const { storage, clock, counters, logger, announce } = deps;

  /** Sends the oldest failed delivery again, unless the last probe is still under way. */
  async function probe({ webhookId, run, now }: FailureStep): Promise<void> {
    if (run.probe !== '') {
      const search = { webhookId, deliveryId: run.probe, limit: 1, maxScanned: BATCH };
      const { deliveries } = await storage.findDeliveries(search);
      if (deliveries[0]?.status === 'pending') return;
    }
    const [probed] = await reopen(webhookId, run.since, now, { limit: 1 });
    if (probed === undefined) return;
    await change(webhookId, (kept) =>
      kept.since === run.since ? { ...kept, probe: probed.deliveryId } : kept,
    );
  }

  /** Reopens what failed in the outage, and tells whether all of that has ended. */
  async function recover(
    webhookId: number,
    { recoverFrom: from, recoverUntil: to }: FailureRun,
    now: string,
  ): Promise<boolean> {
    let isDone = from === '';
    let place: DeliveryPlace | undefined;
    let count = 0;
    for (let batch = 0; batch < BATCHES_PER_LOOK && !isDone; batch += 1) {
      const deliveries = await reopen(webhookId, from, to, { limit: BATCH, after: place });
      count += deliveries.length;
      place = deliveries.at(-1);
      isDone = deliveries.length < BATCH;
      await yieldToEventLoop();
    }
    if (count > 0) {
      const { tenant = '' } = (await storage.findWebhook(webhookId)) ?? {};
      const fields = { webhookId, ...tenantField(tenant), deliveries: count };
      logger.info(fields, 'webhook deliveries reopened after an outage');
    }
    const [overview] = await storage.readOverview({ webhookIds: [webhookId], counts: true });
    const isOver = isDone && (overview?.counts?.pending === 0 || later(to, MAX_DRAINING_MS) < now);
    await change(webhookId, (run) => {
      // Another outage has ended meanwhile.
      if (run.recoverUntil !== to) return run;
      if (isOver) return { ...run, recoverFrom: '', recoverUntil: '', leasedUntil: '' };
      return isDone ? { ...run, recoverFrom: '' } : { ...run, leasedUntil: '' };
    });
    return isOver;
  }

  async function reopen(
    webhookId: number,
    from: string,
    to: string,
    bounds: { readonly limit: number; readonly after?: DeliveryPlace | undefined },
  ) {
    const createdSince = later(to, -MAX_OUTAGE_MS);
    const target = { webhookId, createdSince, ended: { from, to, exceptErrors: NOT_REOPENED } };
    const { deliveries } = await storage.reopenDeliveries({ target, now: clock(), ...bounds });
    counters.reopened += deliveries.length;
    announce(deliveries.slice(0, 1).map(({ deliveryId }) => ({ deliveryId, delayMs: 0 })));
    return deliveries;
  }

  async function change(webhookId: number, to: (run: FailureRun) => FailureRun): Promise<void> {
    const step = ({ run }: KeptRun) => {
      const next = to(run);
      return next.failed === 0 && next.recoverUntil === '' ? null : next;
    };
    await storage.stepFailures({ now: clock(), limit: 1, webhookIds: [webhookId], step });
  }

  return { probe, recover };
}
