import { Text, Timeline } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { Attempt, Delivery } from '../../api/records.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { fillNodes } from '../../texts/fill-nodes.tsx';
import { fill } from '../../texts/host-texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { durationText, ExactInstant, Instant, untilText } from '../../ui/instant.tsx';
import { historyTexts } from '../history/history-texts.ts';
import { detailText } from './answer-detail-text.ts';
import { deliveryTexts } from './delivery-texts.ts';
import { headerLines } from './sent-request.ts';

/** Lists the attempts with time, duration and result, and then the time of the next one. */
export function AttemptTimeline({ delivery }: { readonly delivery: Delivery }) {
  const { attempt_log: log, attempts, next_attempt_at: next, status } = delivery;
  const isPending = status === 'pending';
  // An attempt counts from its start, and is logged at its end.
  const isRunning = isPending && attempts > (log.at(-1)?.attempt ?? 0);
  const dropped = (log[0]?.attempt ?? attempts + (isRunning ? 0 : 1)) - 1;
  return (
    <>
      {dropped > 0 && (
        <Text size="sm" c="dimmed">
          {log.length === 0 ? deliveryTexts.noneRecorded : fill(deliveryTexts.notKept, { count: dropped })}
        </Text>
      )}
      <Timeline bulletSize={22} lineWidth={2} active={log.length}>
        {log.map((attempt) => (
          <Timeline.Item
            key={attempt.attempt}
            color={colorOf(attempt)}
            bullet={bulletOf(attempt)}
            title={fill(deliveryTexts.attempt, { number: attempt.attempt, outcome: outcomeText(attempt) })}
          >
            <AttemptFacts attempt={attempt} isLast={attempt === log.at(-1)} />
          </Timeline.Item>
        ))}
        {isRunning && (
          <Timeline.Item
            color="yellow"
            bullet={<IconClock size={13} stroke={2.5} />}
            title={fill(deliveryTexts.underWay, { number: attempts })}
          />
        )}
        {isPending && !isRunning && next !== null && (
          <Timeline.Item
            color="yellow"
            bullet={<IconClock size={13} stroke={2.5} />}
            title={fill(deliveryTexts.attempt, {
              number: attempts + 1,
              outcome: untilText(next, Date.now()),
            })}
          >
            <Text size="sm" c="dimmed">
              {fillNodes(deliveryTexts.dueAt, { time: <Instant at={next} /> })}
            </Text>
          </Timeline.Item>
        )}
      </Timeline>
    </>
  );
}

function colorOf({ error }: Attempt): 'teal' | 'yellow' | 'red' {
  if (error === '') return 'teal';
  return error === 'deferred' ? 'yellow' : 'red';
}

function bulletOf({ error }: Attempt) {
  if (error === '') return <IconCheck size={13} stroke={3} />;
  return error === 'deferred' ? <IconClock size={13} stroke={2.5} /> : <IconX size={13} stroke={3} />;
}

function outcomeText({ error, status_code: code }: Attempt): string {
  return error === '' || code > 0
    ? fill(historyTexts.http, { status: String(code) })
    : failureMessage(error).title;
}

interface AttemptFactsProps {
  readonly attempt: Attempt;
  readonly isLast: boolean;
}

function AttemptFacts({ attempt, isLast }: AttemptFactsProps) {
  const { started_at: startedAt, duration_ms: duration, error, response_body: response } = attempt;
  const headers = Object.entries(attempt.response_headers);
  const facts = { time: <ExactInstant at={startedAt} />, duration: durationText(duration) };
  return (
    <>
      <Text size="sm" c="dimmed">
        {error === ''
          ? fillNodes(deliveryTexts.took, facts)
          : fillNodes(deliveryTexts.tookError, {
              ...facts,
              error: <span className="event-name">{error}</span>,
            })}
      </Text>
      {attempt.deferrals !== null && attempt.deferrals.count > 1 && (
        <Text size="sm">
          {fillNodes(deliveryTexts.deferred, {
            number: attempt.deferrals.count,
            time: <ExactInstant at={attempt.deferrals.since} />,
          })}
        </Text>
      )}
      {attempt.detail !== '' && <Text size="sm">{detailText(attempt.detail)}</Text>}
      {headers.length > 0 && (
        <Text component="details" size="sm" mt="xs">
          <summary>{fill(deliveryTexts.responseHeaders, { count: headers.length })}</summary>
          <CodeBlock
            label={fill(deliveryTexts.responseHeadersLabel, { number: attempt.attempt })}
            text={headerLines(headers)}
          />
        </Text>
      )}
      {response !== '' && (
        <Text component="details" size="sm" mt="xs" open={isLast && error !== ''}>
          <summary>{fill(deliveryTexts.response, { count: response.length })}</summary>
          <CodeBlock label={fill(deliveryTexts.responseLabel, { number: attempt.attempt })} text={response} />
        </Text>
      )}
    </>
  );
}
