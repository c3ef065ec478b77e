import type { Notifier } from '../hooks/notifier.ts';
import type { ReportedFailing } from '../hooks/webhook-hooks.ts';
import type { FailureStep, KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/overview-record.ts';
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
   * Looks at every webhook that fails or recovers, and does what that calls for. A look begins
   * after those before it. Never rejects.
   */
  look(signal?: AbortSignal): Promise<void>;
  /** Tells the host that a webhook is down, unless that was told: before it is deactivated. */
  tellDown(webhookId: number): Promise<void>;
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
  let recovering = 0;
  let looked: Promise<void> = Promise.resolve();

  const reported = <Result>(acted: Promise<Result>) =>
    acted.catch((error: unknown) => void notifier.error('recover', error));

  async function lookAtAll(signal?: AbortSignal): Promise<void> {
    const step = (kept: KeptRun) => stepOutage(rules, kept);
    let found = 0;
    let after = 0;
    do {
      const steps = await storage.stepFailures({ now: clock(), limit: RUNS_PER_LOOK, after, step });
      for (const one of steps) if (await act(one, signal)) found += 1;
      after = steps.at(-1)?.webhookId ?? 0;
    } while (after > 0 && !signal?.aborted);
    recovering = found;
  }

  /**
   * Does what the step says, and returns whether the webhook still recovers then. A failure of one
   * part keeps nothing else from being done.
   */
  async function act(step: FailureStep, signal?: AbortSignal): Promise<boolean> {
    const { webhookId, run, after } = step;
    const state = newsOf(step);
    if (state !== undefined) await reported(tell(webhookId, state, run));
    if (after === null || signal?.aborted) return false;
    if (after.probes > run.probes) await reported(probe(step));
    if (!rules.recoverAfterOutage || after.recoverUntil === '') return false;
    // Another process has leased it.
    if (after.leasedUntil === run.leasedUntil) return true;
    return (await reported(recover(webhookId, after, step.now, signal))) !== true;
  }

  async function tell(webhookId: number, state: ReportedFailing['state'], run: FailureRun): Promise<void> {
    const webhook = await storage.findWebhook(webhookId);
    if (webhook === undefined) return;
    const [overview] = await storage.readOverview({ webhookIds: [webhookId], counts: true });
    const told = failing.describe(webhook, run, overview?.counts?.pending ?? 0);
    notifier.webhookFailing({ ...told, state, ...(state === 'well' && { disablesAt: null }) });
  }

  return {
    async tellDown(webhookId) {
      if (!rules.isTold) return;
      const step = ({ run }: KeptRun) => (run.told === 0 ? { ...run, told: 1 } : run);
      const request = { now: clock(), limit: 1, webhookIds: [webhookId], step };
      for (const one of await storage.stepFailures(request)) {
        if (newsOf(one) === 'down') await tell(webhookId, 'down', one.run);
      }
    },
    async look(signal) {
      if (isFollowed) looked = looked.then(() => reported(lookAtAll(signal)));
      await looked;
    },
    recovering: () => recovering,
  };
}

/** What the host is to be told of a step. */
function newsOf({ run, after, activation }: FailureStep): ReportedFailing['state'] | undefined {
  const told = after?.told ?? 0;
  if (told > run.told) return told === 1 ? 'down' : 'still_down';
  // Another activation ends a run, too.
  return told < run.told && run.activation === activation ? 'well' : undefined;
}
