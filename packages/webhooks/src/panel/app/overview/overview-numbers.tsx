import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Overview } from '../api/records.ts';
import { fill, numberText } from '../texts/host-texts.ts';
import { durationText, Instant } from '../ui/instant.tsx';
import { pendingText, rateText } from '../ui/status-badge.tsx';
import { overviewTexts } from './overview-texts.ts';

const DAY_MS = 86_400_000;
/** A dash stands for a number that there is not. */
const NONE = '–';

/** The share delivered, the time of recipients, what waits, and the oldest of that. */
export function OverviewNumbers({ overview }: { readonly overview: Overview }) {
  const { delivered, answers, day_before: before, waiting } = overview;
  const { success, failed, rate } = delivered;
  const total = numberText(success + failed);
  return (
    <dl className="overview-numbers">
      <Figure
        label={overviewTexts.delivered}
        value={rate === null ? NONE : rateText({ success_rate: rate })}
        beside={
          rate === null
            ? overviewTexts.noneEnded
            : fill(overviewTexts.deliveredOf, { success: numberText(success), total })
        }
        lastDay={before.rate !== null && dayBefore(rateText({ success_rate: before.rate }))}
      />
      <Figure
        label={overviewTexts.answerTime}
        value={answers.p95_ms === null ? NONE : timeText(answers.p95_ms)}
        beside={
          answers.p95_ms === null
            ? overviewTexts.noAttempt
            : fill(overviewTexts.answerTimeOf, { count: answers.attempts })
        }
        lastDay={before.p95_ms !== null && dayBefore(timeText(before.p95_ms))}
      />
      <Figure
        label={overviewTexts.waiting}
        value={pendingText(waiting.count)}
        beside={waiting.count === 0 ? overviewTexts.noneWaiting : overviewTexts.waitingAdvice}
        lastDay={isOld(waiting.oldest_at) && fill(overviewTexts.ofLastDay, { count: waiting.recent })}
      />
      <Figure
        label={overviewTexts.oldest}
        value={waiting.oldest_at === null ? NONE : <Instant at={waiting.oldest_at} />}
      />
    </dl>
  );
}

/** Whether it was created before the last day: what waits is then not of that day alone. */
function isOld(at: string | null): boolean {
  return at !== null && Date.parse(at) < Date.now() - DAY_MS;
}

const timeText = (ms: number) => durationText(Math.round(ms));
const dayBefore = (value: string) => fill(overviewTexts.dayBefore, { value });

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly beside?: string;
  readonly lastDay?: string | false;
}

function Figure({ label, value, beside, lastDay }: FigureProps) {
  return (
    <Paper withBorder px="sm" py="xs" className="overview-figure">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" fz="1.25rem" fw={650}>
        {value}
      </Text>
      {[beside, lastDay].map(
        (text) =>
          text && (
            <Text key={text} component="dd" size="xs" c="dimmed">
              {text}
            </Text>
          ),
      )}
    </Paper>
  );
}
