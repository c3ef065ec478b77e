import { Paper, Text } from '@mantine/core';
import type { DeliveryCounts } from '../api/records.ts';

const COUNTS = [
  { name: 'total', label: 'Total' },
  { name: 'success', label: 'Success' },
  { name: 'failed', label: 'Failed' },
  { name: 'pending', label: 'Pending' },
] as const;

/** The number of deliveries by status. */
export function StatCounts({ stats }: { readonly stats: DeliveryCounts }) {
  return (
    <section aria-label="Deliveries by outcome">
      <dl className="stat-counts">
        {COUNTS.map(({ name, label }) => (
          <Paper key={name} withBorder p="sm" className={`stat stat-${name}`}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" className="stat-number">
              {stats[name].toLocaleString()}
            </Text>
          </Paper>
        ))}
      </dl>
    </section>
  );
}
