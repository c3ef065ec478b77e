import type { ActivityBar } from './activity-bars.ts';

interface ActivityTableProps {
  readonly bars: readonly ActivityBar[];
  readonly unit: string;
}

/** The numbers of the chart, without the hours or days that have none. */
export function ActivityTable({ bars, unit }: ActivityTableProps) {
  const busy = bars.filter(({ success, failed, pending }) => success + failed + pending > 0);
  return (
    <details className="chart-table">
      <summary>Show the numbers</summary>
      <table className="table" aria-label="Deliveries over time">
        <thead>
          <tr>
            <th>{unit}</th>
            <th>Success</th>
            <th>Failed</th>
            <th>Pending</th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ start, label, success, failed, pending }) => (
            <tr key={start}>
              <th scope="row">
                <time dateTime={start} title={start}>
                  {label}
                </time>
              </th>
              <td>{success.toLocaleString()}</td>
              <td>{failed.toLocaleString()}</td>
              <td>{pending.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
