import { Anchor, Paper, Text, UnstyledButton } from '@mantine/core';
import type { ActivityPoint } from '../../api/records.ts';
import { fill, numberText } from '../../texts/host-texts.ts';
import { rateText } from '../../ui/status-badge.tsx';
import { uiTexts } from '../../ui/ui-texts.ts';
import { activityTexts } from './activity-texts.ts';

interface RangeCountsProps {
  readonly label: string;
  /** Undefined until they are known. */
  readonly hours: readonly ActivityPoint[] | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onChooseFailed: () => void;
}

/** How many deliveries a time has, which share was received, and how many failed. */
export function RangeCounts({ label, hours, isChosen, onChoose, onChooseFailed }: RangeCountsProps) {
  const sum = { success: 0, failed: 0, pending: 0 };
  for (const { success, failed, pending } of hours ?? []) {
    sum.success += success;
    sum.failed += failed;
    sum.pending += pending;
  }
  const ended = sum.success + sum.failed;
  return (
    <Paper withBorder p="sm" className="stat" data-chosen={isChosen || undefined}>
      <UnstyledButton className="stat-range" fz="sm" aria-pressed={isChosen} onClick={onChoose}>
        {label}
      </UnstyledButton>
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
          onClick={onChooseFailed}
        >
          {fill(activityTexts.failed, { count: sum.failed })}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {hours === undefined ? '\u00a0' : activityTexts.noneFailed}
        </Text>
      )}
    </Paper>
  );
}

/** How far the API counts pending deliveries: one more stands for any larger number. */
const MAX_PENDING = 100_000;

/** How many deliveries wait. A count beyond the bound is shown as a lower bound: `100,000+`. */
export function PendingCount({ count, onChoose }: { readonly count: number; readonly onChoose: () => void }) {
  return (
    <Paper withBorder p="sm" className="stat">
      <UnstyledButton className="stat-range" fz="sm" onClick={onChoose}>
        {uiTexts.statusPending}
      </UnstyledButton>
      <Text fz="1.25rem" fw={650}>
        {count > MAX_PENDING ? `${numberText(count - 1)}+` : numberText(count)}
      </Text>
    </Paper>
  );
}
