import { Group, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { DeliveryCounts, WebhookHealth } from '../../api/records.ts';
import { useActivity } from '../../api/webhook-queries.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { barsOf, firstHour, hasSplitHours } from './activity-bars.ts';
import { ActivityChart } from './activity-chart.tsx';
import { ActivityTable } from './activity-table.tsx';
import { activityTexts } from './activity-texts.ts';

const RANGES = {
  day: { label: activityTexts.day, bar: 'hour', hours: 24 },
  week: { label: activityTexts.week, bar: 'day', hours: 7 * 24 },
  month: { label: activityTexts.month, bar: 'day', hours: 30 * 24 },
} as const;
type RangeName = keyof typeof RANGES;

interface ActivitySectionProps {
  readonly webhookId: number;
  readonly stats: DeliveryCounts;
  readonly health: WebhookHealth;
}

/** Deliveries over time, by outcome. */
export function ActivitySection({ webhookId, stats, health }: ActivitySectionProps) {
  const [range, setRange] = useState<RangeName>('day');
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={headingId}>
          {activityTexts.title}
        </Title>
        <SegmentedControl
          aria-label={activityTexts.range}
          size="xs"
          value={range}
          onChange={(value) => isRange(value) && setRange(value)}
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
        />
      </Group>
      <RangeActivity key={range} webhookId={webhookId} stats={stats} health={health} range={range} />
    </Paper>
  );
}

function isRange(value: string): value is RangeName {
  return Object.hasOwn(RANGES, value);
}

function RangeActivity(props: ActivitySectionProps & { readonly range: RangeName }) {
  const { webhookId, stats, health, range } = props;
  const { bar, hours } = RANGES[range];
  const { data, error, refetch } = useActivity(webhookId, range, () => firstHour(hours, new Date()));
  useRefreshWith(stats, webhookId);

  if (error && !data) {
    return <ProblemAlert title={activityTexts.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  // Known before the activity is: what follows keeps its place.
  const isQuiet =
    stats.total === 0 || (range === 'day' && health.success + health.failed + stats.pending === 0);
  if (!data) return <Skeleton height={isQuiet ? 52 : 284} aria-label={activityTexts.loading} />;
  const bars = barsOf(data.activity, bar);
  if (bars.every(({ success, failed, pending }) => success + failed + pending === 0)) {
    return (
      <Text size="sm" c="dimmed" ta="center" py="md">
        {activityTexts.none}
      </Text>
    );
  }
  return (
    <>
      <ActivityChart bars={bars} />
      {bar === 'day' && hasSplitHours(data.activity) && (
        <Text size="xs" c="dimmed">
          {activityTexts.splitHours}
        </Text>
      )}
      <ActivityTable bars={bars} unit={bar === 'hour' ? activityTexts.hourColumn : activityTexts.dayColumn} />
    </>
  );
}

/**
 * Reads the activity again when the counts change, which are refreshed while a delivery is pending.
 */
function useRefreshWith({ total, success, failed, pending }: DeliveryCounts, webhookId: number): void {
  const queries = useQueryClient();
  const state = `${total} ${success} ${failed} ${pending}`;
  const [seen, setSeen] = useState(state);
  useEffect(() => {
    if (seen === state) return;
    setSeen(state);
    void queries.invalidateQueries({ queryKey: ['webhook', webhookId, 'activity'] });
  }, [queries, webhookId, seen, state]);
}
