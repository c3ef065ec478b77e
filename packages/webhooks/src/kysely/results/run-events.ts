import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import type { RunEvent } from '../../storage/failure-run.ts';
import type { ResultRules } from '../../storage/result-rules.ts';
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
  runAfter: ResultRules['runAfter'],
): Promise<void> {
  const byWebhook = new Map<number, RunEvent[]>();
  const changed = new Set<number>();
  for (const one of written) {
    const event = eventOf(one);
    if (event === undefined) continue;
    if (event.happened !== 'succeeded' || one.isFailing) changed.add(one.webhookId);
    const events = byWebhook.get(one.webhookId);
    if (events) events.push(event);
    else byWebhook.set(one.webhookId, [event]);
  }
  await changeRuns(tables, dialect, {
    now: written[0]?.result.now ?? 0,
    webhookIds: [...changed],
    step: ({ webhookId, run, lastSuccessAt }) => runAfter(run, byWebhook.get(webhookId) ?? [], lastSuccessAt),
  });
}

function eventOf({ result, at, isReopened }: WrittenResult): RunEvent | undefined {
  const { activation, status, error, resumed } = result;
  if (activation === NO_ACTIVATION) return undefined;
  if (status === 'success') return { activation, at, happened: 'succeeded' };
  // What was sent again says nothing new: a recovery's failures would be the next outage.
  if (status === 'failed')
    return isReopened ? undefined : { activation, at, happened: { failedWith: error } };
  if (!pausesWebhook(result)) return undefined;
  return { activation, at, happened: resumed === undefined ? 'asked' : 'asked again' };
}
