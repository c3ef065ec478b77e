import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconHistory, IconInbox } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import type { WebhookDetail } from '../../api/records.ts';
import { useHistory } from '../../api/webhook-queries.ts';
import { PAGE_SIZE, useDeliveriesView } from '../../deliveries/deliveries-view.ts';
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
  const view = useDeliveriesView(false);
  const [isRecovering, setRecovering] = useState(false);
  const { status, event, from, to } = view.filters;
  const query = { status, event, from, to, cursor: view.cursor, limit: PAGE_SIZE };
  const history = useHistory(webhook.id, query);
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
        <DeliveryFilters label={historyTexts.filter} view={view} />
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
        search={history}
        query={query}
        askedAt={askedAt}
        view={view}
        heading={heading}
        // Where there is none, the place of the text that says so.
        maxRows={Math.min(webhook.stats.total || 4, PAGE_SIZE)}
      >
        <HistoryEmpty webhook={webhook} />
      </DeliveryList>
      {isRecovering && <RecoverDialog webhookId={webhook.id} onClose={() => setRecovering(false)} />}
    </Paper>
  );
}

/** Shown for a history without rows, because nothing was sent yet. */
function HistoryEmpty({ webhook }: { readonly webhook: WebhookDetail }) {
  const { isReadOnly } = useApi();
  const whileActive = isReadOnly ? historyTexts.emptyReadOnly : historyTexts.emptyAdvice;
  const text = webhook.is_active ? whileActive : historyTexts.emptyPaused;
  return (
    <EmptyNotice icon={<IconInbox size={32} />} title={historyTexts.empty} text={text}>
      <Text size="sm">
        <Anchor component={Link} href="?explain=">
          {historyTexts.missing}
        </Anchor>
      </Text>
    </EmptyNotice>
  );
}
