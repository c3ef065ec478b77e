import { Anchor, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconWebhookOff } from '@tabler/icons-react';
import { Link, useSearchParams } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { useCurrent } from '../api/refresh.ts';
import { useWebhook } from '../api/webhook-queries.ts';
import { lastListQuery } from '../list/list-state.ts';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { StaleAlert } from '../page/stale-alert.tsx';
import { fill } from '../texts/host-texts.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Unread } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { ActivitySection } from './activity/activity-section.tsx';
import { DetailLoading } from './detail-loading.tsx';
import { HistorySection } from './history/history-section.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookHeader } from './webhook-header.tsx';
import { webhookTexts } from './webhook-texts.ts';

const VerificationSection = lazyComponent(
  async () => (await import('../verify/verification.tsx')).VerificationSection,
  <Skeleton height={420} />,
);

const TABS = ['deliveries', 'settings', 'verify'] as const;
const TAB_LABELS = {
  deliveries: uiTexts.deliveries,
  settings: webhookTexts.settings,
  verify: webhookTexts.verify,
} as const;

/** One webhook: its settings, its activity, and its deliveries with their reasons for failure. */
export function DetailPage({ id }: { readonly id: number }) {
  const read = useWebhook(id);
  const { data, error } = read;
  const current = useCurrent([id]);
  const [parameters] = useSearchParams();
  const tab =
    TABS.find((name) => name === parameters.get('tab') && !parameters.has('delivery')) ?? 'deliveries';
  // If the webhook was deleted elsewhere, the data read before is no longer valid.
  const isDeleted = isGone(error);
  const webhook = isDeleted ? undefined : data;
  usePageTitle(webhook ? fill(uiTexts.pageTitle, { page: webhook.name || webhook.url }) : webhookTexts.title);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Anchor component={Link} href={lastListQuery()} size="sm">
          <Group component="span" gap={4}>
            <IconArrowLeft size={16} aria-hidden="true" /> {webhookTexts.toList}
          </Group>
        </Anchor>
        {webhook && <Freshness currentAt={current.currentAt} onRefresh={current.refresh} />}
      </Group>
      {!webhook && <VisuallyHidden component="h1">{webhookTexts.title}</VisuallyHidden>}
      {isDeleted ? (
        <EmptyNotice
          icon={<IconWebhookOff size={36} />}
          title={webhookTexts.goneTitle}
          text={webhookTexts.gone}
        />
      ) : (
        <Unread read={read} problem={uiTexts.webhookNotLoaded}>
          <DetailLoading />
        </Unread>
      )}
      {webhook && (
        <>
          <StaleAlert error={error} current={current} onRetry={current.refresh} />
          <WebhookHeader webhook={webhook} />
          <Group component="nav" className="page-tabs" aria-label={webhookTexts.tabs}>
            {TABS.map((name) => (
              <Anchor
                key={name}
                component={Link}
                href={name === 'deliveries' ? `/${id}` : `/${id}?tab=${name}`}
                {...(name === tab && { 'aria-current': 'page' as const })}
              >
                {TAB_LABELS[name]}
              </Anchor>
            ))}
          </Group>
          {tab === 'deliveries' && (
            <>
              <ActivitySection webhook={webhook} />
              <HistorySection webhook={webhook} askedAt={current.askedAt} />
            </>
          )}
          {tab === 'settings' && <WebhookFacts webhook={webhook} />}
          {tab === 'verify' && <VerificationSection webhook={webhook} />}
        </>
      )}
    </Stack>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
