import { Text, Timeline } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { Attempt, Delivery } from '../../api/records.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { countOf } from '../../messages/webhook-text.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { durationText, ExactInstant, Instant, untilText } from '../../ui/instant.tsx';

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
          {log.length === 0
            ? 'No earlier attempt is recorded.'
            : `${countOf(dropped, 'older attempt')} ${dropped === 1 ? 'is' : 'are'} not kept.`}
        </Text>
      )}
      <Timeline bulletSize={22} lineWidth={2} active={log.length} className="timeline">
        {log.map((attempt) => (
          <Timeline.Item
            key={attempt.attempt}
            color={attempt.error === '' ? 'teal' : 'red'}
            bullet={
              attempt.error === '' ? <IconCheck size={13} stroke={3} /> : <IconX size={13} stroke={3} />
            }
            title={`Attempt ${attempt.attempt}: ${outcomeText(attempt)}`}
          >
            <AttemptFacts attempt={attempt} isLast={attempt === log.at(-1)} />
          </Timeline.Item>
        ))}
        {isRunning && (
          <Timeline.Item
            color="yellow"
            bullet={<IconClock size={13} stroke={2.5} />}
            title={`Attempt ${attempts}: under way`}
          />
        )}
        {isPending && !isRunning && next !== null && (
          <Timeline.Item
            color="yellow"
            bullet={<IconClock size={13} stroke={2.5} />}
            title={`Attempt ${attempts + 1}: ${untilText(next, Date.now())}`}
          >
            <Text size="sm" c="dimmed">
              Due at <Instant at={next} />
            </Text>
          </Timeline.Item>
        )}
      </Timeline>
    </>
  );
}

function outcomeText({ error, status_code: code }: Attempt): string {
  return error === '' || code > 0 ? `HTTP ${code}` : failureMessage(error).title;
}

interface AttemptFactsProps {
  readonly attempt: Attempt;
  readonly isLast: boolean;
}

function AttemptFacts({ attempt, isLast }: AttemptFactsProps) {
  const { started_at: startedAt, duration_ms: duration, error, response_body: response } = attempt;
  return (
    <>
      <Text size="sm" c="dimmed">
        <ExactInstant at={startedAt} />, took {durationText(duration)}
        {error !== '' && (
          <>
            , <span className="event-name">{error}</span>
          </>
        )}
      </Text>
      {response !== '' && (
        <details className="response" open={isLast && error !== ''}>
          <summary>Response ({response.length.toLocaleString()} characters)</summary>
          <CodeBlock label={`Response to attempt ${attempt.attempt}`} text={response} />
        </details>
      )}
    </>
  );
}
