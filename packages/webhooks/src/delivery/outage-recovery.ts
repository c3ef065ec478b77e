import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Logger } from '../logging/logger.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import type { DeliveryPlace } from '../storage/delivery-requests.ts';
import { MIN_FAILURES } from '../storage/failure-run.ts';
import type { FailureStep, KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/overview-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { later, MAX_OUTAGE_MS } from './outage-steps.ts';
import { UNSENT } from './outcome.ts';

/** What is reopened at once, and before another look goes on. */
const BATCH = 500;
const BATCHES_PER_LOOK = 20;
/** A recovery is over when its deliveries have ended, or after this long. */
const MAX_DRAINING_MS = 3_600_000;
/** A failure may be committed this long after the time of its end: it is looked for until then. */
const MARGIN_MS = 10_000;
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
  const { storage, clock, logger } = deps;
  const { reopen, pendingOf } = createReopening(deps);

  /**
   * Sends the oldest failed delivery again that was not yet, unless the last probe is still under
   * way: one that is always refused must not hide that others are accepted.
   */
  async function probe({ webhookId, run, now }: FailureStep): Promise<void> {
    if (run.probe !== '') {
      const search = { webhookId, deliveryId: run.probe, limit: 1, maxScanned: BATCH };
      const { deliveries } = await storage.findDeliveries(search);
      if (deliveries[0]?.status === 'pending') return;
    }
    const createdSince = later(run.since, -MAX_OUTAGE_MS);
    for (const to of [run.lastAt, now]) {
      const [probed] = await reopen(webhookId, createdSince, { from: run.since, to }, { limit: 1 });
      if (probed === undefined) continue;
      const { deliveryId } = probed;
      return change(webhookId, (kept) => (kept.since === run.since ? { ...kept, probe: deliveryId } : kept));
    }
  }

  /**
   * Reopens what failed in the outage, as fast as the recipient takes it, and tells whether all of
   * that has ended. What is new waits behind a batch at most.
   */
  async function recover(
    webhookId: number,
    run: FailureRun,
    now: string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { recoverFrom: from, recoverUntil: to } = run;
    const isDownAgain = run.failed >= MIN_FAILURES;
    let isEmpty = from === '';
    let place: DeliveryPlace | undefined;
    let count = 0;
    for (let batch = 0; batch < BATCHES_PER_LOOK && !isEmpty && !isDownAgain; batch += 1) {
      if (signal?.aborted || (await pendingOf(webhookId)) >= BATCH) break;
      const createdSince = later(to, -MAX_OUTAGE_MS);
      const bounds = { limit: BATCH, after: place };
      const deliveries = await reopen(webhookId, createdSince, { from, to }, bounds);
      count += deliveries.length;
      place = deliveries.at(-1);
      isEmpty = deliveries.length < BATCH;
      await yieldToEventLoop();
    }
    if (count > 0) {
      const { tenant = '' } = (await storage.findWebhook(webhookId)) ?? {};
      const fields = { webhookId, ...tenantField(tenant), deliveries: count };
      logger.info(fields, 'webhook deliveries reopened after an outage');
    }
    isEmpty &&= from === '' || later(to, MARGIN_MS) < now;
    const isOver = isEmpty && ((await pendingOf(webhookId)) === 0 || later(to, MAX_DRAINING_MS) < now);
    await change(webhookId, (kept) => {
      // Another outage has ended meanwhile.
      if (kept.recoverUntil !== to) return kept;
      if (isOver) return { ...kept, recoverFrom: '', recoverUntil: '', leasedUntil: '' };
      return isEmpty ? { ...kept, recoverFrom: '' } : { ...kept, leasedUntil: '' };
    });
    return isOver;
  }

  /** The next look removes a run of which nothing is left. */
  async function change(webhookId: number, to: (run: FailureRun) => FailureRun): Promise<void> {
    const step = ({ run }: KeptRun) => to(run);
    await storage.stepFailures({ now: clock(), limit: 1, webhookIds: [webhookId], step });
  }

  return { probe, recover };
}

function createReopening({ storage, clock, counters, announce }: RecoveryDependencies) {
  async function pendingOf(webhookId: number): Promise<number> {
    const [overview] = await storage.readOverview({ webhookIds: [webhookId], counts: true });
    return overview?.counts?.pending ?? 0;
  }

  async function reopen(
    webhookId: number,
    createdSince: string,
    ended: { readonly from: string; readonly to: string },
    bounds: { readonly limit: number; readonly after?: DeliveryPlace | undefined },
  ) {
    const target = { webhookId, createdSince, ended: { ...ended, exceptErrors: NOT_REOPENED } };
    const { deliveries } = await storage.reopenDeliveries({ target, now: clock(), ...bounds });
    counters.reopened += deliveries.length;
    announce(deliveries.slice(0, 1).map(({ deliveryId }) => ({ deliveryId, delayMs: 0 })));
    return deliveries;
  }

  return { pendingOf, reopen };
}
