import { Table } from '@mantine/core';
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
      <Table aria-label="Deliveries over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{unit}</Table.Th>
            <Table.Th>Success</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th>Pending</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {busy.map(({ start, label, success, failed, pending }) => (
            <Table.Tr key={start}>
              <Table.Th scope="row">
                <time dateTime={start} title={start}>
                  {label}
                </time>
              </Table.Th>
              <Table.Td>{success.toLocaleString()}</Table.Td>
              <Table.Td>{failed.toLocaleString()}</Table.Td>
              <Table.Td>{pending.toLocaleString()}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
