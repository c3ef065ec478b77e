import { Anchor, Button, Group, Paper, Title } from '@mantine/core';
import { IconHistory, IconInbox } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import { useActivity, useDeliverySearch } from '../../api/delivery-pages.ts';
import type { WebhookDetail } from '../../api/records.ts';
import { RANGES } from '../../deliveries/activity/activity-bars.ts';
import { countsOf, PAGE_SIZE, useDeliveriesView } from '../../deliveries/deliveries-view.ts';
import { DeliveryFilters } from '../../deliveries/delivery-filters.tsx';
import { DeliveryList } from '../../delivery/delivery-list.tsx';
import { historyTexts } from '../../delivery/delivery-texts.ts';
import { EmptyNotice } from '../../ui/empty-notice.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { webhookDialogTexts } from '../webhook-texts.ts';

const RecoverDialog = lazyComponent(async () => (await import('../recover-dialog.tsx')).RecoverDialog);

interface HistorySectionProps {
  readonly webhook: WebhookDetail;
  /** When the user last asked for the page to be read again. */
  readonly askedAt: number;
}

/** The deliveries of a webhook, newest first. */
export function HistorySection({ webhook, askedAt }: HistorySectionProps) {
  const { isReadOnly } = useApi();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const view = useDeliveriesView(webhook.id);
  const { data } = useActivity(webhook.id, RANGES.month.hours);
  const [isRecovering, setRecovering] = useState(false);
  const { event, error, range, from, to } = view.filters;
  const isAny = event + error + range + from + to === '';
  const { success, failed } = webhook.stats;
  const whileActive = isReadOnly ? historyTexts.emptyReadOnly : historyTexts.emptyAdvice;
  const pages = useDeliverySearch(view.query, view.hours);
  const { search: history } = pages;
  return (
    <Paper component="section" withBorder p="md" className="frame" aria-labelledby={headingId}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id={headingId} ref={heading} tabIndex={-1}>
          {historyTexts.title}
        </Title>
        {!isReadOnly && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconHistory size={16} />}
            onClick={() => setRecovering(true)}
          >
            {webhookDialogTexts.recover}
          </Button>
        )}
      </Group>
      {(webhook.stats.total > 0 || view.isFiltered) && (
        <DeliveryFilters
          label={historyTexts.filter}
          view={view}
          counts={isAny ? { success, failed } : countsOf(data?.activity, view)}
        />
      )}
      {history.error ? (
        <ProblemAlert
          title={historyTexts.notLoaded}
          error={history.error}
          onRetry={() => {
            view.narrow({});
            void history.refetch();
          }}
        />
      ) : null}
      <DeliveryList
        label={historyTexts.title}
        pagesLabel={historyTexts.pages}
        selectionName={`history/${webhook.id}`}
        pages={pages}
        askedAt={askedAt}
        view={view}
        heading={heading}
        // Where there is none, the place of the text that says so.
        maxRows={Math.min(webhook.stats.total || 4, PAGE_SIZE)}
      >
        <EmptyNotice
          icon={<IconInbox size={32} />}
          title={historyTexts.empty}
          text={webhook.is_active ? whileActive : historyTexts.emptyPaused}
        >
          <Anchor component={Link} href="?explain=" size="sm">
            {historyTexts.missing}
          </Anchor>
        </EmptyNotice>
      </DeliveryList>
      {isRecovering && <RecoverDialog webhookId={webhook.id} onClose={() => setRecovering(false)} />}
    </Paper>
  );
}
