import { Anchor, Paper, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Activity, ActivityPoint } from '../../api/records.ts';
import { hoursOf, RANGES, type RangeName, sumOf } from '../../deliveries/activity/activity-bars.ts';
import { activityTexts } from '../../deliveries/activity/activity-texts.ts';
import type { DeliveriesView } from '../../deliveries/deliveries-view.ts';
import { overviewTexts } from '../../overview/overview-texts.ts';
import { fill, numberText } from '../../texts/host-texts.ts';
import { durationText } from '../../ui/instant.tsx';
import { rateText } from '../../ui/status-badge.tsx';

interface RangeCountsProps {
  readonly range: RangeName;
  /** Undefined until it is known. */
  readonly activity: readonly ActivityPoint[] | undefined;
  readonly view: DeliveriesView;
}

/** How many deliveries a time has, which share was received, and how many failed. */
export function RangeCounts({ range, activity, view }: RangeCountsProps) {
  const hours = activity && hoursOf(activity, RANGES[range].hours);
  const sum = sumOf(hours ?? []);
  const choose = (status: string) => view.narrow({ range, status, from: '', to: '' });
  const ended = sum.success + sum.failed;
  return (
    <Stat
      label={RANGES[range].label}
      isChosen={range === (view.filters.range || 'day')}
      onChoose={() => choose('')}
    >
      <Text fz="1.25rem" fw={650}>
        {hours === undefined ? '\u00a0' : numberText(ended + sum.pending)}{' '}
        <Text component="span" size="sm" c="dimmed">
          {rateText({ success_rate: ended === 0 ? null : sum.success / ended })}
        </Text>
      </Text>
      {sum.failed > 0 ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className="stat-part danger"
          onClick={() => choose('failed')}
        >
          {fill(activityTexts.failed, { count: sum.failed })}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {hours === undefined ? '\u00a0' : activityTexts.noneFailed}
        </Text>
      )}
    </Stat>
  );
}

interface StatProps {
  readonly label: string;
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** A number whose name chooses what it counts. */
export function Stat({ label, isChosen, onChoose, children }: StatProps) {
  return (
    <Paper withBorder p="sm" className="stat" data-chosen={isChosen || undefined}>
      <UnstyledButton className="stat-range" fz="sm" aria-pressed={isChosen} onClick={onChoose}>
        {label}
      </UnstyledButton>
      {children}
    </Paper>
  );
}

/** How long the recipient takes, in 95 of 100 attempts at most. */
export function AnswerTime({ answers }: { readonly answers: Activity['answers'] | undefined }) {
  const { p95_ms: p95 = null, attempts: count = 0 } = answers ?? {};
  return (
    <Paper withBorder p="sm" className="stat">
      <Text size="sm" c="dimmed">
        {overviewTexts.answerTime}
      </Text>
      <Text fz="1.25rem" fw={650}>
        {p95 === null ? '–' : durationText(p95)}
      </Text>
      <Text size="sm" c="dimmed">
        {p95 === null ? overviewTexts.noAttempt : fill(overviewTexts.answerTimeOf, { count })}
      </Text>
    </Paper>
  );
}
