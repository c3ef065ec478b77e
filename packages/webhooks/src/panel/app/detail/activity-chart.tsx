import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Activity } from '../api/records.ts';
import { bucketLabel } from './bucket-label.ts';

const SERIES = [
  { name: 'Success', color: 'var(--chart-success)' },
  { name: 'Failed', color: 'var(--chart-failed)' },
  { name: 'Pending', color: 'var(--chart-pending)' },
];

/** A bar for each hour or day. The table below it holds the same for those who cannot see it. */
export default function ActivityChart({ activity }: { readonly activity: Activity }) {
  const data = activity.activity.map(({ start, success, failed, pending }) => ({
    when: bucketLabel(start, activity.interval),
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
        gridAxis="y"
        yAxisProps={{ allowDecimals: false, width: 36 }}
        xAxisProps={{ minTickGap: 24 }}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false, maxBarSize: 40 }}
        tooltipAnimationDuration={0}
      />
    </div>
  );
}
