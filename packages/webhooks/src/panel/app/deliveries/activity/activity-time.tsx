import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { ActivityPoint } from '../../api/records.ts';
import { fillNodes } from '../../texts/fill-nodes.tsx';
import { Instant } from '../../ui/instant.tsx';
import type { DeliveriesView } from '../deliveries-view.ts';
import { barsOf, firstHour, hasSplitHours, hoursOf, RANGES, sumOf } from './activity-bars.ts';
import { ActivityChart } from './activity-chart.tsx';
import { ActivityTable } from './activity-table.tsx';
import { activityTexts } from './activity-texts.ts';

interface ActivityTimeProps {
  /** The hours of the range or more; undefined until they are known. */
  readonly activity: readonly ActivityPoint[] | undefined;
  readonly view: DeliveriesView;
  /** Whether it keeps its place while it is loading, and if there is nothing. Default: true. */
  readonly hasPlace?: boolean;
}

/** Deliveries over time, in bars that choose a time, and which time is chosen. */
export function ActivityTime({ activity, view, hasPlace = true }: ActivityTimeProps) {
  const { range, from, to } = view.filters;
  const { hours, bar } = RANGES[range || 'day'];
  const shown = activity && hoursOf(activity, hours);
  const bars = barsOf(shown ?? [], bar);
  const { success, failed, pending } = sumOf(bars);
  const isQuiet = success + failed + pending === 0;
  const choose = (first: string, end: string) => view.narrow({ from: first, to: end });
  return (
    <>
      {!shown && hasPlace && <Skeleton height={150} mt="sm" aria-label={activityTexts.loading} />}
      {shown && isQuiet && (
        <Text size="sm" c="dimmed" ta="center" py="md" mih={hasPlace ? 162 : undefined}>
          {activityTexts.none}
        </Text>
      )}
      {shown && !isQuiet && (
        <>
          <ActivityChart bars={bars} from={from} to={to} onChoose={choose} />
          {bar === 'day' && hasSplitHours(shown) && (
            <Text size="xs" c="dimmed">
              {activityTexts.splitHours}
            </Text>
          )}
          <ActivityTable
            bars={bars}
            unit={bar === 'hour' ? activityTexts.hourColumn : activityTexts.dayColumn}
            onChoose={choose}
          />
        </>
      )}
      {from + to + range !== '' && (
        <Group gap="xs" mt="xs" fz="sm">
          <span>
            {fillNodes(to === '' ? activityTexts.chosenSince : activityTexts.chosenTime, {
              from: <Instant at={from || (to === '' ? firstHour(hours, new Date()).toISOString() : to)} />,
              to: <Instant at={to || from} />,
            })}
          </span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => view.narrow({ range: '', from: '', to: '' })}
          >
            {activityTexts.anyTime}
          </Button>
        </Group>
      )}
    </>
  );
}
