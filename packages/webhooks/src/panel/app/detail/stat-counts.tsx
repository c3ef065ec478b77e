import { Paper, Text } from '@mantine/core';
import type { DeliveryCounts } from '../api/records.ts';
import { numberText } from '../texts/host-texts.ts';
import { uiTexts } from '../ui/ui-texts.ts';
import { webhookTexts } from './webhook-texts.ts';

const COUNTS = [
  { name: 'total', label: webhookTexts.total },
  { name: 'success', label: uiTexts.statusSuccess },
  { name: 'failed', label: uiTexts.statusFailed },
  { name: 'pending', label: uiTexts.statusPending },
] as const;

const topLine = (name: string) => ({
  borderTopWidth: 3,
  borderTopColor: `var(--chart-${name}, var(--panel-border))`,
});

/** How far the API counts pending deliveries: one more stands for any larger number. */
const MAX_PENDING = 100_000;

/**
 * A pending count beyond the bound, and the total with it, is shown as a lower bound: `100,000+`.
 */
function countText(stats: DeliveryCounts, name: (typeof COUNTS)[number]['name']): string {
  const isBound = stats.pending > MAX_PENDING && (name === 'pending' || name === 'total');
  return isBound ? `${numberText(stats[name] - 1)}+` : numberText(stats[name]);
}

/** The number of deliveries by status. */
export function StatCounts({ stats }: { readonly stats: DeliveryCounts }) {
  return (
    <section aria-label={webhookTexts.outcomes}>
      <dl className="stat-counts">
        {COUNTS.map(({ name, label }) => (
          <Paper key={name} withBorder p="sm" className="stat" style={topLine(name)}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" fz="1.5rem" fw={650}>
              {countText(stats, name)}
            </Text>
          </Paper>
        ))}
      </dl>
    </section>
  );
}
