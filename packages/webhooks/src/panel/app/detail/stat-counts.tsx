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
              {numberText(stats[name])}
            </Text>
          </Paper>
        ))}
      </dl>
    </section>
  );
}
