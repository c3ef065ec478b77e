import { Text } from '@mantine/core';
import type { Attempt, Delivery } from '../api/records.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { exactText, Instant, offsetText } from '../ui/instant.tsx';
import { deliveryTexts, historyTexts } from './delivery-texts.ts';

/**
 * The attempts in their order, each with its time since the delivery was created, and what follows.
 */
export function AttemptAxis({ delivery }: { readonly delivery: Delivery }) {
  const { attempt_log: log, next_attempt_at: next, status, created_at: createdAt } = delivery;
  // The log numbers requests.
  const attempts = delivery.attempts + delivery.deferrals;
  const isPending = status === 'pending';
  // An attempt counts from its start, and is logged at its end.
  const isRunning = isPending && attempts > (log.at(-1)?.attempt ?? 0);
  const dropped = (log[0]?.attempt ?? attempts + (isRunning ? 0 : 1)) - 1;
  const isDeferred = log.at(-1)?.error === 'deferred';
  return (
    <div>
      {dropped > 0 && (
        <Text size="sm" c="dimmed">
          {log.length === 0 ? deliveryTexts.noneRecorded : fill(deliveryTexts.notKept, { count: dropped })}
        </Text>
      )}
      <ol className="attempt-axis" aria-label={deliveryTexts.attempts}>
        {log.map((attempt) => (
          <li key={attempt.attempt} className={`attempt ${classOf(attempt)}`}>
            <time dateTime={attempt.started_at} title={exactText(attempt.started_at)}>
              {offsetText(createdAt, attempt.started_at)}
            </time>{' '}
            {outcomeText(attempt)}
          </li>
        ))}
        {isRunning && (
          <li className="attempt attempt-pending">{fill(deliveryTexts.underWay, { number: attempts })}</li>
        )}
        {isPending && !isRunning && next !== null && (
          <li className="attempt attempt-pending">
            {fillNodes(isDeferred ? deliveryTexts.deferredUntil : deliveryTexts.dueAt, {
              time: <Instant at={next} />,
            })}
          </li>
        )}
        {status === 'failed' && <li className="attempt attempt-failed">{deliveryTexts.gaveUp}</li>}
      </ol>
    </div>
  );
}

function classOf({ error }: Attempt): string {
  if (error === '') return 'attempt-success';
  return error === 'deferred' ? 'attempt-pending' : 'attempt-failed';
}

/** `HTTP 502`, or why there was no answer. */
export function outcomeText({ error, status_code: code }: Attempt): string {
  return error === '' || code > 0
    ? fill(historyTexts.http, { status: String(code) })
    : failureMessage(error).title;
}
