import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useSearchParams } from 'wouter';
import type { WebhookDetail } from '../../api/records.ts';
import { useActivity } from '../../api/webhook-queries.ts';
import { timeOf } from '../../deliveries/deliveries-view.ts';
import { fillNodes } from '../../texts/fill-nodes.tsx';
import { changedParameters } from '../../ui/changed-parameters.ts';
import { Instant } from '../../ui/instant.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { type ActivityBar, barsOf, firstHour, hasSplitHours } from './activity-bars.ts';
import { ActivityChart } from './activity-chart.tsx';
import { ActivityTable } from './activity-table.tsx';
import { activityTexts } from './activity-texts.ts';
import { PendingCount, RangeCounts } from './range-counts.tsx';

const RANGES = {
  day: { label: activityTexts.day, bar: 'hour', hours: 24 },
  week: { label: activityTexts.week, bar: 'day', hours: 7 * 24 },
  month: { label: activityTexts.month, bar: 'day', hours: 30 * 24 },
} as const;
type RangeName = keyof typeof RANGES;
const RANGE_NAMES: readonly RangeName[] = ['day', 'week', 'month'];

/**
 * Which deliveries of the history the numbers and the chart choose, by parameters of the address.
 */
export interface Choice {
  readonly range?: RangeName;
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

/**
 * The deliveries of the last day, week and month, by outcome and over time. Each number and each
 * bar chooses its deliveries in the history below.
 */
export function ActivitySection({ webhook: { id, stats } }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  const [parameters, setParameters] = useSearchParams();
  const chosen = RANGE_NAMES.find((name) => name === parameters.get('range')) ?? 'day';
  const { hours: shownHours, bar } = RANGES[chosen];
  const { data, error, refetch } = useActivity(id, 'month', () => firstHour(RANGES.month.hours, new Date()));
  const choose = (choice: Choice) =>
    setParameters((previous) => changedParameters(previous, { ...choice, cursor: '' }), { replace: true });
  const chooseBar = ({ start, end }: ActivityBar) => choose({ from: start, to: end, status: '' });
  const sinceOf = (hours: number) => firstHour(hours, new Date()).toISOString();
  const since = (from: string) => data?.activity.filter(({ start }) => start >= from) ?? [];
  const shown = since(sinceOf(shownHours));
  const bars = barsOf(shown, bar);
  const isQuiet = bars.every(({ success, failed, pending }) => success + failed + pending === 0);

  if (error && !data) {
    return <ProblemAlert title={activityTexts.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId} mb="sm">
        {activityTexts.title}
      </Title>
      <div className="stat-counts">
        {RANGE_NAMES.map((name) => (
          <RangeCounts
            key={name}
            label={RANGES[name].label}
            hours={data && since(sinceOf(RANGES[name].hours))}
            isChosen={name === chosen}
            onChoose={() => choose({ range: name, from: '', to: '', status: '' })}
            onChooseFailed={() =>
              choose({ range: name, from: sinceOf(RANGES[name].hours), to: '', status: 'failed' })
            }
          />
        ))}
        <PendingCount
          count={stats.pending}
          onChoose={() => choose({ from: '', to: '', status: 'pending' })}
        />
      </div>
      {!data && stats.total > 0 && <Skeleton height={150} mt="sm" aria-label={activityTexts.loading} />}
      {data && isQuiet && (
        <Text size="sm" c="dimmed" ta="center" py="md" mih={stats.total > 0 ? 162 : undefined}>
          {activityTexts.none}
        </Text>
      )}
      {data && !isQuiet && (
        <>
          <ActivityChart bars={bars} onChoose={chooseBar} />
          {bar === 'day' && hasSplitHours(shown) && (
            <Text size="xs" c="dimmed">
              {activityTexts.splitHours}
            </Text>
          )}
          <ActivityTable
            bars={bars}
            unit={bar === 'hour' ? activityTexts.hourColumn : activityTexts.dayColumn}
            onChoose={chooseBar}
          />
        </>
      )}
      <ChosenTime
        from={timeOf(parameters.get('from'))}
        to={timeOf(parameters.get('to'))}
        onClear={() => choose({ from: '', to: '', status: parameters.get('status') ?? '' })}
      />
    </Paper>
  );
}

interface ChosenTimeProps {
  readonly from: string;
  readonly to: string;
  readonly onClear: () => void;
}

/** Says to which time the history is narrowed, and ends that. */
function ChosenTime({ from, to, onClear }: ChosenTimeProps) {
  if (from === '' && to === '') return null;
  const text = to === '' ? activityTexts.chosenSince : activityTexts.chosenTime;
  return (
    <Group gap="xs" mt="xs" fz="sm">
      <span>{fillNodes(text, { from: <Instant at={from} />, to: <Instant at={to || from} /> })}</span>
      <Button variant="default" size="compact-sm" onClick={onClear}>
        {activityTexts.anyTime}
      </Button>
    </Group>
  );
}
