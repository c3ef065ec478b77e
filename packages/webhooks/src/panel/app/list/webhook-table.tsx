import { Paper, Skeleton } from '@mantine/core';
import { useApi } from '../api/api-context.ts';
import type { ListedWebhook } from '../api/records.ts';
import type { Selection } from '../selection/selections.tsx';
import { columnCount, TableHead } from '../selection/table-head.tsx';
import { listTexts } from './list-texts.ts';
import { selectableOf, WebhookRow } from './webhook-row.tsx';

interface WebhookTableProps {
  readonly selection: Selection;
  readonly webhooks: readonly ListedWebhook[];
  readonly isLoading: boolean;
  /** True while the previous page is still shown. */
  readonly isStale: boolean;
  readonly onEdit: (webhook: ListedWebhook) => void;
  readonly onDelete: (webhook: ListedWebhook) => void;
}

const COLUMNS = [
  { label: listTexts.webhook },
  { label: listTexts.events, width: 96 },
  { label: listTexts.status, width: 140 },
  { label: listTexts.lastDay, width: 120 },
  { label: listTexts.lastDelivery, width: '20%' },
];
const ACTIONS = { label: listTexts.actions, width: 122, className: 'cell-actions' };
const LOADING_ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The list as a table; on a narrow screen each row is a card. */
export function WebhookTable(props: WebhookTableProps) {
  const { selection, webhooks, isLoading, isStale, onEdit, onDelete } = props;
  const { isReadOnly } = useApi();
  const columns = isReadOnly ? COLUMNS : [...COLUMNS, ACTIONS];
  return (
    <Paper withBorder className="frame">
      <table className="table webhook-table" aria-label={listTexts.title} aria-busy={isLoading || isStale}>
        <TableHead selection={selection} items={webhooks.map(selectableOf)} columns={columns} />
        <tbody>
          {isLoading &&
            LOADING_ROWS.map((row) => (
              <tr key={row}>
                <td colSpan={columnCount(selection, columns)}>
                  <Skeleton height={42} />
                </td>
              </tr>
            ))}
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              selection={selection}
              onEdit={() => onEdit(webhook)}
              onDelete={() => onDelete(webhook)}
            />
          ))}
        </tbody>
      </table>
    </Paper>
  );
}
