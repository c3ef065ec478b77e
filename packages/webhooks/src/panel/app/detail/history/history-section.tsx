import { Box, Button, Group, Loader, Paper, Skeleton, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { WebhookDetail } from '../../api/records.ts';
import { useHistory, useWebhook } from '../../api/webhook-queries.ts';
import { SelectionBar } from '../../selection/selection-bar.tsx';
import { useSelection } from '../../selection/selections.tsx';
import { CursorPager } from '../../ui/cursor-pager.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { DeliveryDetails } from '../delivery/delivery-details.tsx';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { webhookDialogTexts } from '../webhook-texts.ts';
import { HistoryEmpty } from './history-empty.tsx';
import { HistoryFilters, type HistoryFilterValues } from './history-filters.tsx';
import { HistoryTable } from './history-table.tsx';
import { historyTexts } from './history-texts.ts';
import { useHistoryView } from './history-view.ts';

const RecoverDialog = lazyComponent(async () => (await import('../recover-dialog.tsx')).RecoverDialog);

const PAGE_SIZE = 20;
const NO_FILTERS: HistoryFilterValues = { status: '', event: '' };

/** The deliveries of a webhook, newest first. They are refreshed while one is pending. */
export function HistorySection({ webhook }: { readonly webhook: WebhookDetail }) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { filters, cursor, narrow, toFirst, toNewer, toOlder } = useHistoryView();
  const selection = useSelection(`history/${webhook.id}`);
  const [isRecovering, setRecovering] = useState(false);
  const history = useHistory(webhook.id, { ...filters, cursor, limit: PAGE_SIZE });
  const { openId, close } = useOpenDelivery();
  useCountsOf(webhook.id, history.dataUpdatedAt);

  const turn = (move: () => void) => {
    move();
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  };

  const deliveries = history.data?.deliveries ?? [];
  const isFiltered = filters.status !== '' || filters.event !== '';
  const isLive = deliveries.some(({ status }) => status === 'pending');
  const isElsewhere =
    openId !== null && history.data && !deliveries.some((one) => one.delivery_id === openId);

  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <HistoryHeading id={headingId} ref={heading} isLive={isLive} onRecover={() => setRecovering(true)} />
      {(webhook.stats.total > 0 || isFiltered) && <HistoryFilters values={filters} onChange={narrow} />}
      {history.error ? (
        <ProblemAlert
          title={historyTexts.notLoaded}
          error={history.error}
          onRetry={() => {
            toFirst();
            void history.refetch();
          }}
        />
      ) : null}
      {history.isPending && <Skeleton height={160} aria-label={historyTexts.loading} />}
      {isElsewhere && (
        <Box p="md" mb="sm" bg="var(--panel-ground)" bdrs="md">
          <DeliveryDetails
            webhook={webhook}
            deliveryId={openId}
            onClose={() => {
              heading.current?.focus();
              close();
            }}
          />
        </Box>
      )}
      {history.data && deliveries.length === 0 && (
        <HistoryEmpty webhook={webhook} isFiltered={isFiltered} onClear={() => narrow(NO_FILTERS)} />
      )}
      <SelectionBar selection={selection} actions={['redeliver']} />
      {deliveries.length > 0 && (
        <HistoryTable webhook={webhook} selection={selection} deliveries={deliveries} />
      )}
      <CursorPager
        label={historyTexts.pages}
        isFirst={cursor === ''}
        next={history.data?.next_cursor ?? null}
        onNewer={() => turn(toNewer)}
        onOlder={(cursor) => turn(() => toOlder(cursor))}
      />
      {isRecovering && <RecoverDialog webhookId={webhook.id} onClose={() => setRecovering(false)} />}
    </Paper>
  );
}

/** Reads the counts above the history again after every read of the history. */
function useCountsOf(webhookId: number, updatedAt: number): void {
  const { data, refetch, dataUpdatedAt } = useWebhook(webhookId);
  const counted = useRef(0);
  useEffect(() => {
    if (updatedAt === counted.current) return;
    counted.current = updatedAt;
    // Counts that arrived later may have been read earlier, and no read follows the last one of the
    // history.
    if (updatedAt > dataUpdatedAt || (data && data.stats.pending > 0)) void refetch();
  }, [refetch, updatedAt, dataUpdatedAt, data]);
}

interface HistoryHeadingProps {
  readonly id: string;
  readonly ref: RefObject<HTMLHeadingElement | null>;
  readonly isLive: boolean;
  readonly onRecover: () => void;
}

function HistoryHeading({ id, ref, isLive, onRecover }: HistoryHeadingProps) {
  return (
    <Group justify="space-between" mb="sm">
      <Group gap="xs">
        <Title order={2} size="h4" id={id} ref={ref} tabIndex={-1}>
          {historyTexts.title}
        </Title>
        {isLive && (
          <Group component="span" gap={6} fz="sm" c="dimmed">
            <Loader size={14} aria-hidden="true" /> {historyTexts.live}
          </Group>
        )}
      </Group>
      <Button variant="default" size="xs" leftSection={<IconHistory size={16} />} onClick={onRecover}>
        {webhookDialogTexts.recover}
      </Button>
    </Group>
  );
}
