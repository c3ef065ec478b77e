import { Skeleton } from '@mantine/core';
import type { ListedWebhook } from '../api/records.ts';
import { SelectPage } from '../selection/select-boxes.tsx';
import type { Selection } from '../selection/selections.tsx';
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

/** The columns by their class in the stylesheet, which sets their widths. */
const COLUMNS = {
  url: listTexts.url,
  events: listTexts.events,
  status: listTexts.status,
  health: listTexts.lastDay,
  last: listTexts.lastDelivery,
  actions: listTexts.actions,
};
const LOADING_ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The list as a table; on a narrow screen each row is a card. */
export function WebhookTable(props: WebhookTableProps) {
  const { selection, webhooks, isLoading, isStale, onEdit, onDelete } = props;
  return (
    <div className="table-frame" aria-busy={isLoading || isStale}>
      <table className="table webhook-table" aria-label={listTexts.title}>
        <thead>
          <tr>
            <th className="column-select">
              <SelectPage selection={selection} items={webhooks.map(selectableOf)} />
            </th>
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
                <td colSpan={1 + Object.keys(COLUMNS).length}>
                  <Skeleton height={26} />
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
    </div>
  );
}
