import type { Notifier } from '../hooks/notifier.ts';
import type { ReportedFailing } from '../hooks/webhook-hooks.ts';
import type { AttemptRecord, ClaimedDelivery } from '../storage/delivery-requests.ts';
import type { FailureStep, KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import { createFailingWebhooks } from './failing-webhooks.ts';
import { createOutageRecovery, type RecoveryDependencies } from './outage-recovery.ts';
import { type OutageRules, stepOutage } from './outage-steps.ts';

/** The dependencies of {@link createOutages}. */
export interface OutageDependencies extends RecoveryDependencies, Omit<OutageRules, 'isTold'> {
  readonly storage: RecoveryDependencies['storage'] & Pick<WebhookStorage, 'findWebhook' | 'listWebhooks'>;
  readonly notifier: Pick<Notifier, 'error' | 'webhookFailing' | 'isToldOfFailing'>;
}

/** Follows the outages of webhooks, beside the other processes: the storage decides who acts. */
export interface Outages {
  /** Follows up a delivery that has ended. Never rejects. */
  ended(claimed: ClaimedDelivery, record: AttemptRecord): Promise<void>;
  /** Looks at every webhook that fails or recovers. Never rejects. */
  look(): Promise<void>;
  /** How many webhooks were recovering at the last look. */
  recovering(): number;
}

const RUNS_PER_LOOK = 500;
/** @internal See docs/decisions/0082. */
export function createOutages(deps: OutageDependencies): Outages {
  const { storage, clock, notifier } = deps;
  const rules: OutageRules = { ...deps, isTold: notifier.isToldOfFailing };
  const isFollowed = rules.recoverAfterOutage || rules.isTold;
  const failing = createFailingWebhooks(deps);
  const { probe, recover } = createOutageRecovery(deps);
  /** Webhooks with failures since their last success, of which the next success is news. */
  const known = new Set<number>();
  const recovering = new Set<number>();

  async function lookAt(webhookIds?: readonly number[]): Promise<void> {
    for (let after = 0; ; ) {
      const step = (kept: KeptRun) => stepOutage(rules, kept);
      const some = webhookIds && { webhookIds };
      const steps = await storage.stepFailures({ now: clock(), limit: RUNS_PER_LOOK, after, step, ...some });
      for (const one of steps) await act(one);
      after = steps.at(-1)?.webhookId ?? 0;
      if (after === 0 || webhookIds) return;
    }
  }

  async function act(step: FailureStep): Promise<void> {
    const { webhookId, run, after } = step;
    note(known, webhookId, after !== null && after.failed > 0);
    note(recovering, webhookId, rules.recoverAfterOutage && (after?.recoverUntil ?? '') !== '');
    const state = newsOf(step);
    if (state !== undefined) await tell(webhookId, state, run);
    if (after === null) return;
    if (after.probes > run.probes) await probe(step);
    if (after.recoverUntil === '' || after.leasedUntil === run.leasedUntil) return;
    if (await recover(webhookId, after, step.now)) recovering.delete(webhookId);
  }

  async function tell(webhookId: number, state: ReportedFailing['state'], run: FailureRun): Promise<void> {
    const webhook = await storage.findWebhook(webhookId);
    if (webhook === undefined) return;
    const [overview] = await storage.readOverview({ webhookIds: [webhookId], counts: true });
    const told = failing.describe(webhook, run, overview?.counts?.pending ?? 0);
    notifier.webhookFailing({ ...told, state });
  }

  const reported = (looked: Promise<void>) =>
    looked.catch((error: unknown) => void notifier.error('recover', error));

  return {
    async ended({ deliveryId, webhook: { id } }, { status }) {
      if (!isFollowed || isTestDelivery(deliveryId)) return;
      if (status === 'failed' || (status === 'success' && known.delete(id))) await reported(lookAt([id]));
    },
    async look() {
      if (isFollowed) await reported(lookAt());
    },
    recovering: () => recovering.size,
  };
}

/** What the host is to be told of a step. */
function newsOf({
  run,
  after,
  activation,
  lastSuccessAt,
}: FailureStep): ReportedFailing['state'] | undefined {
  if (after !== null && after.told > run.told) return after.told === 1 ? 'down' : 'still_down';
  const hasSucceeded = run.activation === activation && run.since <= lastSuccessAt;
  return run.told > 0 && hasSucceeded ? 'well' : undefined;
}

function note(ids: Set<number>, id: number, isMember: boolean): void {
  if (isMember) ids.add(id);
  else ids.delete(id);
}
