import type { Notifier } from '../hooks/notifier.ts';
import type { ReportedFailing } from '../hooks/webhook-hooks.ts';
import type { FailureStep, KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
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
  /**
   * Looks at every webhook that fails or recovers, and does what that calls for. A look begins after
   * those before it. Never rejects.
   */
  look(signal?: AbortSignal): Promise<void>;
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
  const recovering = new Set<number>();

  const reported = (acted: Promise<void>) =>
    acted.catch((error: unknown) => void notifier.error('recover', error));

  let looked: Promise<void> = Promise.resolve();

  async function lookAtAll(signal?: AbortSignal): Promise<void> {
    const seen = new Set<number>();
    for (let after = 0; ; ) {
      const step = (kept: KeptRun) => stepOutage(rules, kept);
      const steps = await storage.stepFailures({ now: clock(), limit: RUNS_PER_LOOK, after, step });
      for (const one of steps) {
        seen.add(one.webhookId);
        await act(one, signal);
      }
      after = steps.at(-1)?.webhookId ?? 0;
      if (signal?.aborted) return;
      if (after === 0) break;
    }
    // Another process has dealt with the others.
    for (const id of recovering) if (!seen.has(id)) recovering.delete(id);
  }

  /** Does what the step says. A failure of one part keeps nothing else from being done. */
  async function act(step: FailureStep, signal?: AbortSignal): Promise<void> {
    const { webhookId, run, after } = step;
    if (rules.recoverAfterOutage && (after?.recoverUntil ?? '') !== '') recovering.add(webhookId);
    else recovering.delete(webhookId);
    const state = newsOf(step);
    if (state !== undefined) await reported(tell(webhookId, state, run));
    if (after === null || signal?.aborted) return;
    if (after.probes > run.probes) await reported(probe(step));
    if (after.recoverUntil === '' || after.leasedUntil === run.leasedUntil) return;
    const isOver = recover(webhookId, after, step.now, signal);
    await reported(isOver.then((over) => void (over && recovering.delete(webhookId))));
  }

  async function tell(webhookId: number, state: ReportedFailing['state'], run: FailureRun): Promise<void> {
    const webhook = await storage.findWebhook(webhookId);
    if (webhook === undefined) return;
    const [overview] = await storage.readOverview({ webhookIds: [webhookId], counts: true });
    const told = failing.describe(webhook, run, overview?.counts?.pending ?? 0);
    notifier.webhookFailing({ ...told, state, ...(state === 'well' && { disablesAt: null }) });
  }

  return {
    async look(signal) {
      if (isFollowed) looked = looked.then(() => reported(lookAtAll(signal)));
      await looked;
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
  const told = after?.told ?? 0;
  if (told > run.told) return told === 1 ? 'down' : 'still_down';
  const hasSucceeded = run.activation === activation && run.since <= lastSuccessAt;
  return told < run.told && hasSucceeded ? 'well' : undefined;
}
