import { Table } from '@mantine/core';
import type { Activity } from '../api/records.ts';
import { bucketLabel } from './bucket-label.ts';

/** The numbers behind the chart, those that are not zero. */
export function ActivityTable({ activity: { activity, interval } }: { readonly activity: Activity }) {
  const busy = activity.filter(({ success, failed, pending }) => success + failed + pending > 0);
  return (
    <details className="chart-table">
      <summary>Show the numbers{interval === 'day' ? ' (days in UTC)' : ''}</summary>
      <Table aria-label="Deliveries over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{interval === 'hour' ? 'Hour' : 'Day'}</Table.Th>
            <Table.Th>Success</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>Pending</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {busy.map(({ start, success, failed, pending }) => (
            <Table.Tr key={start}>
              <Table.Th scope="row">
                <time dateTime={start} title={start}>
                  {bucketLabel(start, interval)}
                </time>
              </Table.Th>
              <Table.Td>{success}</Table.Td>
              <Table.Td>{failed}</Table.Td>
              <Table.Td>{pending}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
