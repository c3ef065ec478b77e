import type { DeliverySummary } from '../../api/records.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { fill } from '../../texts/host-texts.ts';
import { untilText } from '../../ui/instant.tsx';
import { historyTexts } from './history-texts.ts';

/** What the last attempt of a delivery resulted in, and when the next one is due. */
export function resultText({
  status,
  error,
  attempts,
  status_code: code,
  next_attempt_at: next,
}: DeliverySummary): string {
  if (status === 'success') return fill(historyTexts.http, { status: String(code) });
  // An attempt counts from its start.
  if (error === '' && attempts > 0) return historyTexts.underWay;
  const failure = error === '' ? historyTexts.notSent : failureMessage(error).title;
  if (status === 'failed' || next === null) return failure;
  return fill(historyTexts.nextAttempt, { failure, time: untilText(next, Date.now()) });
}
