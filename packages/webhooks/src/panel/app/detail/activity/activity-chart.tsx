import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ActivityBar } from './activity-bars.ts';

const SERIES = [
  { name: 'Success', color: 'var(--chart-success)' },
  { name: 'Failed', color: 'var(--chart-failed)' },
  { name: 'Pending', color: 'var(--chart-pending)' },
];

/** `1.2M`: only a short number fits beside the axis. */
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const AXIS_WIDTH = 64;

/** A bar for each hour or day. The table below has the same numbers for screen readers. */
export default function ActivityChart({ bars }: { readonly bars: readonly ActivityBar[] }) {
  const data = bars.map(({ label, success, failed, pending }) => ({
    when: label,
    Success: success,
    Failed: failed,
    Pending: pending,
  }));
  return (
    <div className="chart" aria-hidden="true">
      <BarChart
        h={220}
        data={data}
        dataKey="when"
        type="stacked"
        series={SERIES}
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 32 }}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{
          allowDecimals: false,
          width: AXIS_WIDTH,
          tickFormatter: (count) => COMPACT.format(count),
        }}
        valueFormatter={(count) => count.toLocaleString()}
        xAxisProps={{ minTickGap: 24 }}
        barChartProps={{ accessibilityLayer: false, margin: { top: 12, right: 8 } }}
        barProps={{ isAnimationActive: false, maxBarSize: 40 }}
        tooltipAnimationDuration={0}
      />
    </div>
  );
}
