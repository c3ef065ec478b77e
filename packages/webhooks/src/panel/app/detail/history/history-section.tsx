import { Box, Button, Group, Loader, Paper, Skeleton, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { WebhookDetail } from '../../api/records.ts';
import { useHistory, useWebhook } from '../../api/webhook-queries.ts';
import { CursorPager } from '../../paging/cursor-pager.tsx';
import { StoppedSearch } from '../../paging/stopped-search.tsx';
import { SelectionBar } from '../../selection/selection-bar.tsx';
import { useSelection } from '../../selection/selections.tsx';
import { fill } from '../../texts/host-texts.ts';
import { NewRows, useHeldRows } from '../../ui/held-rows.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { DeliveryDetails } from '../delivery/delivery-details.tsx';
import { deliveryTexts } from '../delivery/delivery-texts.ts';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { webhookDialogTexts } from '../webhook-texts.ts';
import { HistoryEmpty } from './history-empty.tsx';
import { HistoryFilters, type HistoryFilterValues } from './history-filters.tsx';
import { HistoryTable } from './history-table.tsx';
import { historyTexts } from './history-texts.ts';
import { FIRST_PAGE, useHistoryView } from './history-view.ts';
import { type Revealed, useReveal, useRevealed } from './revealed-delivery.ts';

const RecoverDialog = lazyComponent(async () => (await import('../recover-dialog.tsx')).RecoverDialog);

const NO_FILTERS: HistoryFilterValues = { status: '', event: '', from: '', to: '' };

interface HistorySectionProps {
  readonly webhook: WebhookDetail;
  /** When the user last asked for the page to be read again. */
  readonly askedAt: number;
}

/** The deliveries of a webhook, newest first. They are refreshed while one is pending. */
export function HistorySection({ webhook, askedAt }: HistorySectionProps) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { filters, cursor, narrow, toFirst, toNewer, toOlder } = useHistoryView();
  const selection = useSelection(`history/${webhook.id}`);
  const [isRecovering, setRecovering] = useState(false);
  const query = { ...filters, cursor, limit: FIRST_PAGE.limit };
  const history = useHistory(webhook.id, query);
  const { openId, close } = useOpenDelivery();
  const isSelected = selection.selected.size > 0;
  const held = useHeldRows({ read: history, query, askedAt, isSelected, openId });
  const revealed = useRevealed(openId);
  useCountsOf(webhook.id, history.dataUpdatedAt);

  const turn = (move: () => void) => {
    move();
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  };

  const deliveries = held.shown;
  const next = history.data?.next_cursor ?? null;
  const goOlder = (cursor: string) => turn(() => toOlder(cursor));
  const isFiltered = Object.values(filters).some((filter) => filter !== '');
  const isLive = deliveries.some(({ status }) => status === 'pending');
  const isElsewhere =
    openId !== null && history.data && !deliveries.some((one) => one.delivery_id === openId);

  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
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
        <DeliveryAbove
          webhook={webhook}
          deliveryId={openId}
          revealed={revealed}
          onClose={() => {
            heading.current?.focus();
            close();
          }}
        />
      )}
      {history.data && deliveries.length === 0 && next === null && (
        <HistoryEmpty webhook={webhook} isFiltered={isFiltered} onClear={() => narrow(NO_FILTERS)} />
      )}
      <SelectionBar selection={selection} actions={['redeliver']} />
      <NewRows held={held} />
      {deliveries.length > 0 && (
        <HistoryTable webhook={webhook} selection={selection} deliveries={deliveries} revealed={revealed} />
      )}
      {history.data?.scanned_until && next !== null && (
        <StoppedSearch at={history.data.scanned_until} onGoOn={() => goOlder(next)} />
      )}
      <CursorPager
        label={historyTexts.pages}
        isFirst={cursor === ''}
        next={next}
        onNewer={() => turn(toNewer)}
        onOlder={goOlder}
      />
      {isRecovering && <RecoverDialog webhookId={webhook.id} onClose={() => setRecovering(false)} />}
    </Paper>
  );
}

interface DeliveryAboveProps {
  readonly webhook: WebhookDetail;
  readonly deliveryId: string;
  readonly revealed: Revealed;
  readonly onClose: () => void;
}

/** An open delivery that is not on the page of the history that is shown. */
function DeliveryAbove({ webhook, deliveryId, revealed, onClose }: DeliveryAboveProps) {
  const box = useRef<HTMLDivElement>(null);
  useReveal(revealed, { id: deliveryId, place: 'above', shown: box, target: box });
  return (
    <Box
      ref={box}
      role="group"
      aria-label={fill(deliveryTexts.label, { id: deliveryId })}
      tabIndex={-1}
      p="md"
      mb="sm"
      bg="var(--panel-ground)"
      bdrs="md"
    >
      <DeliveryDetails webhook={webhook} deliveryId={deliveryId} onClose={onClose} />
    </Box>
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
  const { isReadOnly } = useApi();
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
      {!isReadOnly && (
        <Button variant="default" size="xs" leftSection={<IconHistory size={16} />} onClick={onRecover}>
          {webhookDialogTexts.recover}
        </Button>
      )}
    </Group>
  );
}
