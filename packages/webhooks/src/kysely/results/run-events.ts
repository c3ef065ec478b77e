import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { type RunEvent, runAfter } from '../../storage/failure-run.ts';
import { changeRuns, type RunDialect } from '../failures/change-runs.ts';
import type { Tables } from '../tables.ts';
import type { WritableResult, WrittenResult } from '../webhook-dialect.ts';
import { pausesWebhook } from './pause-webhooks.ts';

/** Whether a result says more of its recipient than that an attempt succeeded, or is to be repeated. */
export function isRunEvent(result: WritableResult): boolean {
  return result.activation !== NO_ACTIVATION && (result.status === 'failed' || pausesWebhook(result));
}

/** Keeps what these results say of their recipients, in the transaction that wrote them. */
export async function recordRunEvents(
  tables: Tables,
  dialect: RunDialect,
  written: readonly WrittenResult[],
): Promise<void> {
  const byWebhook = new Map<number, WrittenResult[]>();
  for (const one of written) {
    // What was sent again and failed says nothing new: a recovery's failures would be the next outage.
    if (!isRunEvent(one.result) || (one.isReopened && one.result.status === 'failed')) continue;
    const ofWebhook = byWebhook.get(one.webhookId);
    if (ofWebhook) ofWebhook.push(one);
    else byWebhook.set(one.webhookId, [one]);
  }
  await changeRuns(tables, dialect, {
    now: written[0]?.result.now ?? 0,
    webhookIds: [...byWebhook.keys()],
    step({ webhookId, run, lastSuccessAt, now }) {
      const events = byWebhook.get(webhookId)?.map((one) => eventOf(one, now)) ?? [];
      return runAfter(run, events, lastSuccessAt);
    },
  });
}

function eventOf({ result, completedAt }: WrittenResult, now: string): RunEvent {
  const { activation, status, error, resumed } = result;
  if (status === 'failed') return { activation, at: completedAt ?? now, happened: { failedWith: error } };
  return { activation, at: now, happened: resumed === undefined ? 'asked' : 'asked again' };
}
