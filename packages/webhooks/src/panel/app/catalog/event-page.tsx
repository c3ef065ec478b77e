import { Anchor, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconBellOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { ApiError } from '../api/api-error.ts';
import type { EventDescription } from '../api/records.ts';
import { useCurrent } from '../api/refresh.ts';
import { useEventDescription } from '../api/webhook-queries.ts';
import { firstHour } from '../deliveries/activity/activity-bars.ts';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { ListPager } from '../paging/list-pager.tsx';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { Unread } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { WebhookLink } from '../ui/webhook-link.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { FieldTable } from './field-table.tsx';
import { typeScriptOf } from './schema-typescript.ts';

const PAGE_SIZE = 20;

/** One event: its fields, its example, who subscribes to it, and how often it was sent today. */
export function EventPage({ name }: { readonly name: string }) {
  usePageTitle(fill(uiTexts.pageTitle, { page: name }));
  const [offset, setOffset] = useState(0);
  const read = useEventDescription(name, offset, PAGE_SIZE);
  const { data, error } = read;
  const { currentAt, refresh } = useCurrent(null);
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Anchor component={Link} href="/events" size="sm">
          <Group component="span" gap={4}>
            <IconArrowLeft size={16} aria-hidden="true" /> {catalogTexts.toEvents}
          </Group>
        </Anchor>
        {data && <Freshness currentAt={currentAt} onRefresh={refresh} />}
      </Group>
      {!data && <VisuallyHidden component="h1">{catalogTexts.title}</VisuallyHidden>}
      {isUnknown ? (
        <EmptyNotice
          icon={<IconBellOff size={36} />}
          title={catalogTexts.unknown}
          text={catalogTexts.unknownAdvice}
        />
      ) : (
        <Unread read={read} problem={catalogTexts.detailsNotLoaded}>
          <Skeleton height={480} aria-label={catalogTexts.detailsLoading} />
        </Unread>
      )}
      {data && <Description event={data} onOffset={setOffset} />}
    </Stack>
  );
}

interface DescriptionProps {
  readonly event: EventDescription;
  readonly onOffset: (offset: number) => void;
}

function Description({ event, onOffset }: DescriptionProps) {
  const { name, label, example, schema } = event;
  const exampleText = example && JSON.stringify(example, null, 2);
  return (
    <>
      <div>
        <Title order={1} size="h3" className="catalog-title">
          {name}
        </Title>
        <Text c="dimmed">{label}</Text>
        <DeliveriesOfDay name={name} />
      </div>
      <section>
        <Group justify="space-between" mb="xs">
          <div>
            <Heading>{catalogTexts.fields}</Heading>
            <Text size="sm" c="dimmed">
              {catalogTexts.fieldsAdvice}
            </Text>
          </div>
          <CopyButton
            text={typeScriptOf(name, schema)}
            label={catalogTexts.copyTypeScript}
            size="compact-sm"
          />
        </Group>
        <FieldTable schema={schema} />
        <details className="catalog-schema">
          <Text component="summary" size="sm">
            {catalogTexts.schema}
          </Text>
          <CodeBlock label={catalogTexts.schema} text={JSON.stringify(schema, null, 2)} />
        </details>
      </section>
      <section>
        <Group justify="space-between" mb="xs">
          <Heading>{catalogTexts.example}</Heading>
          {exampleText && (
            <CopyButton text={exampleText} label={catalogTexts.copyExample} size="compact-sm" />
          )}
        </Group>
        {exampleText ? (
          <CodeBlock label={catalogTexts.example} text={exampleText} />
        ) : (
          <Text size="sm">{catalogTexts.noExample}</Text>
        )}
      </section>
      <section>
        <Heading>{catalogTexts.subscribers}</Heading>
        <Subscribers event={event} onOffset={onOffset} />
      </section>
    </>
  );
}

/** Others than those of one webhook are read again after a while only. */
const READ_AGAIN = { restMs: 15_000, maxAgeMs: 30_000 };
const NOT_COUNTED = { count: 0, isWhole: false };

/**
 * How many there were in the last 24 hours, and how many of them failed, as links to them: all
 * begin with a whole hour. One page of each is counted.
 */
function DeliveriesOfDay({ name }: { readonly name: string }) {
  const { request } = useApi();
  const { data } = useQuery({
    queryKey: ['webhooks', 'deliveries-of-day', name],
    queryFn: async ({ signal }) => {
      const query = { event: name, from: firstHour(24, new Date()).toISOString(), limit: 100 };
      const search = async (status: '' | 'failed') => {
        const page = await request('GET', '/deliveries', { query: { ...query, status }, signal });
        return { count: page.deliveries.length, isWhole: page.next_cursor === null };
      };
      const [all, failed] = await Promise.all([search(''), search('failed')]);
      return { all, failed };
    },
    meta: READ_AGAIN,
  });
  const { all, failed } = data ?? { all: NOT_COUNTED, failed: NOT_COUNTED };
  const many = all.count === 0 ? catalogTexts.deliveries : fill(catalogTexts.manyOfDay, { count: all.count });
  const failedText = failed.isWhole ? catalogTexts.failedOfDay : catalogTexts.manyFailedOfDay;
  const filters = `range=day&event=${encodeURIComponent(name)}`;
  return (
    <Group gap="xs" mt={4}>
      <Anchor component={Link} href={`/deliveries?${filters}`} size="sm">
        {all.isWhole ? fill(catalogTexts.deliveriesOfDay, { count: all.count }) : many}
      </Anchor>
      {failed.count > 0 && (
        <Anchor component={Link} href={`/deliveries?status=failed&${filters}`} size="sm" className="danger">
          {fill(failedText, { count: failed.count })}
        </Anchor>
      )}
    </Group>
  );
}

/** The webhooks that subscribe to an event, page by page. */
function Subscribers({ event, onOffset }: DescriptionProps) {
  const { name, subscribers, total, limit } = event;
  return (
    <Stack gap="xs" pt="xs">
      {total === 0 && <Text size="sm">{catalogTexts.noSubscriber}</Text>}
      <Stack component="ul" gap="xs" aria-label={fill(catalogTexts.subscribersOf, { event: name })}>
        {subscribers.map((webhook) => {
          const text = webhook.is_active ? catalogTexts.matches : catalogTexts.matchesPaused;
          const patterns = webhook.matched_patterns.join(', ');
          return (
            <li key={webhook.id}>
              <WebhookLink webhook={webhook} reason={fill(text, { patterns })} />
            </li>
          );
        })}
      </Stack>
      {total > limit && <ListPager label={catalogTexts.subscriberPages} page={event} onOffset={onOffset} />}
    </Stack>
  );
}

function Heading({ children }: { readonly children: string }) {
  return (
    <Title order={2} size="h5">
      {children}
    </Title>
  );
}
