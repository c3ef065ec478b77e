import { Skeleton } from '@mantine/core';
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

/** The columns by their class in the stylesheet, which sets their widths. */
const COLUMNS = {
  url: 'URL',
  events: 'Events',
  status: 'Status',
  health: 'Last 24 h',
  last: 'Last delivery',
  actions: 'Actions',
};
const LOADING_ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The list as a table; on a narrow screen each row is a card. */
export function WebhookTable({ webhooks, isLoading, isStale, onEdit, onDelete }: WebhookTableProps) {
  return (
    <div className="table-frame" aria-busy={isLoading || isStale}>
      <table className="table webhook-table" aria-label="Webhooks">
        <thead>
          <tr>
            {Object.entries(COLUMNS).map(([name, label]) => (
              <th key={name} className={`column-${name}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isLoading &&
            LOADING_ROWS.map((row) => (
              <tr key={row}>
                <td colSpan={Object.keys(COLUMNS).length}>
                  <Skeleton height={26} />
                </td>
              </tr>
            ))}
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onEdit={() => onEdit(webhook)}
              onDelete={() => onDelete(webhook)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
