import { Group, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useActivity } from '../../api/delivery-pages.ts';
import type { WebhookDetail } from '../../api/records.ts';
import { RANGE_NAMES, RANGES } from '../../deliveries/activity/activity-bars.ts';
import { activityTexts } from '../../deliveries/activity/activity-texts.ts';
import { ActivityTime } from '../../deliveries/activity/activity-time.tsx';
import { useDeliveriesView } from '../../deliveries/deliveries-view.ts';
import { fill, numberText } from '../../texts/host-texts.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { pendingText } from '../../ui/status-badge.tsx';
import { uiTexts } from '../../ui/ui-texts.ts';
import { AnswerTime, RangeCounts, Stat } from './range-counts.tsx';

/**
 * The deliveries of the last day, week and month, by outcome and over time. Each number and each
 * bar chooses its deliveries in the history below.
 */
export function ActivitySection({ webhook: { id, stats } }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  const pending = pendingText(stats.pending);
  // A total with a lower bound in it is one.
  const isLeast = pending.endsWith('+');
  const view = useDeliveriesView(id);
  const { data, error, refetch } = useActivity(id, RANGES.month.hours);
  if (error && !data) {
    return <ProblemAlert title={activityTexts.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4" id={headingId}>
          {activityTexts.title}
        </Title>
        <Text size="sm" c="dimmed">
          {fill(activityTexts.totals, {
            ...stats,
            total: isLeast ? `${numberText(stats.total - 1)}+` : stats.total,
          })}
        </Text>
      </Group>
      <div className="stat-counts">
        {RANGE_NAMES.map((range) => (
          <RangeCounts key={range} range={range} activity={data?.activity} view={view} />
        ))}
        <Stat
          label={uiTexts.statusPending}
          onChoose={() => view.narrow({ range: '', from: '', to: '', status: 'pending' })}
        >
          <Text fz="1.25rem" fw={650}>
            {pending}
          </Text>
        </Stat>
        <AnswerTime answers={data?.answers} />
      </div>
      <ActivityTime activity={data?.activity} view={view} hasPlace={stats.total > 0} />
    </Paper>
  );
}
