import { Skeleton, Table } from '@mantine/core';
import type { ListedWebhook } from '../api/records.ts';
import { WebhookRow } from './webhook-row.tsx';

interface WebhookTableProps {
  readonly webhooks: readonly ListedWebhook[];
  readonly isLoading: boolean;
  /** True while the previous page is still shown. */
  readonly isStale: boolean;
  readonly onEdit: (webhook: ListedWebhook) => void;
  readonly onDelete: (webhook: ListedWebhook) => void;
}

const COLUMNS = ['URL', 'Events', 'Status', 'Last delivery', 'Actions'];
const LOADING_ROWS = [1, 2, 3];

/** The list as a table; on a narrow screen each row is a card. */
export function WebhookTable({ webhooks, isLoading, isStale, onEdit, onDelete }: WebhookTableProps) {
  return (
    <div className="table-frame" aria-busy={isLoading || isStale}>
      <Table className="webhook-table" verticalSpacing="sm" aria-label="Webhooks">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isLoading &&
            LOADING_ROWS.map((row) => (
              <Table.Tr key={row}>
                <Table.Td colSpan={COLUMNS.length}>
                  <Skeleton height={28} />
                </Table.Td>
              </Table.Tr>
            ))}
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onEdit={() => onEdit(webhook)}
              onDelete={() => onDelete(webhook)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
