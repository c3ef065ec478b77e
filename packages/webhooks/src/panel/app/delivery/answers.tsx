import { Stack, Text } from '@mantine/core';
import { exactJson } from '../api/exact-json.ts';
import type { Attempt } from '../api/records.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { durationText, ExactInstant } from '../ui/instant.tsx';
import { detailText } from './answer-detail-text.ts';
import { outcomeText } from './attempt-axis.tsx';
import { deliveryTexts } from './delivery-texts.ts';
import { isHtml, textOfHtml } from './html-text.ts';
import { JsonTree } from './json-tree.tsx';
import { headerLines } from './sent-request.ts';

/** What the recipient answered, the last first, and the same answer once. */
export function Answers({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const answers = new Map<string, readonly Attempt[]>();
  for (const attempt of attempts.toReversed()) {
    const answer = answerOf(attempt);
    answers.set(answer, [...(answers.get(answer) ?? []), attempt]);
  }
  if (answers.size === 0) return <Text size="sm">{deliveryTexts.noAnswer}</Text>;
  return (
    <Stack gap="md">
      {[...answers].map(([answer, same], place) => (
        <Answer key={answer} same={same} isLast={place === 0} />
      ))}
    </Stack>
  );
}

/** Equal for attempts with the same answer: its headers name the time or the request. */
function answerOf({ status_code: code, error, detail, response_body: body }: Attempt): string {
  return JSON.stringify([code, error, detail, body]);
}

interface AnswerProps {
  /** The last one first. */
  readonly same: readonly Attempt[];
  readonly isLast: boolean;
}

function Answer({ same, isLast }: AnswerProps) {
  const [attempt] = same;
  if (attempt === undefined) return null;
  const { attempt: number, error, detail, deferrals, response_body: body } = attempt;
  const headers = Object.entries(attempt.response_headers);
  return (
    <div>
      <Text size="sm" fw={600}>
        {fill(deliveryTexts.attempt, { number, outcome: outcomeText(attempt) })}
        {same.length > 1 && ` ${fill(deliveryTexts.sameAnswer, { count: same.length })}`}
      </Text>
      <Text size="sm" c="dimmed">
        {fill(deliveryTexts.took, { duration: durationText(attempt.duration_ms) })}{' '}
        {error !== '' && <code className="event-name">{error}</code>}
      </Text>
      {deferrals !== null && deferrals.count > 1 && (
        <Text size="sm">
          {fillNodes(deliveryTexts.deferred, {
            number: deferrals.count,
            time: <ExactInstant at={deferrals.since} />,
          })}
        </Text>
      )}
      {detail !== '' && <Text size="sm">{detailText(detail)}</Text>}
      {body !== '' && (
        <Text component="details" size="sm" mt="xs" open={isLast}>
          <summary>{fill(deliveryTexts.response, { count: body.length })}</summary>
          <Body attempt={attempt} />
        </Text>
      )}
      {headers.length > 0 && (
        <Text component="details" size="sm" mt="xs">
          <summary>{fill(deliveryTexts.responseHeaders, { count: headers.length })}</summary>
          <CodeBlock
            label={fill(deliveryTexts.responseHeadersLabel, { number })}
            text={headerLines(headers)}
          />
        </Text>
      )}
    </div>
  );
}

/**
 * The body of an answer for reading: JSON as a tree, a page as its text, anything else as it is.
 */
function Body({
  attempt: { attempt: number, response_body: body, response_headers: headers },
}: {
  readonly attempt: Attempt;
}) {
  const label = fill(deliveryTexts.responseLabel, { number });
  if (isHtml(body, headers['content-type'])) {
    return (
      <>
        <CodeBlock label={label} text={textOfHtml(body)} />
        <Text component="details" size="sm" mt="xs">
          <summary>{deliveryTexts.asReceived}</summary>
          <CodeBlock label={deliveryTexts.asReceived} text={body} />
        </Text>
      </>
    );
  }
  const json = jsonOf(body);
  return json === null ? <CodeBlock label={label} text={body} /> : <JsonTree label={label} value={json} />;
}

/** Null for what is no object and no array, also if it was cut. */
function jsonOf(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return exactJson(text);
  } catch {
    return null;
  }
}
