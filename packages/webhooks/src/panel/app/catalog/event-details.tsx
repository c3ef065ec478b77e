import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { EventDescription, EventSubscriber } from '../api/records.ts';
import { useEventDescription } from '../api/webhook-queries.ts';
import { ListPager } from '../paging/list-pager.tsx';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { catalogTexts } from './catalog-texts.ts';

const PAGE_SIZE = 20;

/** The example and the schema of an event, and who subscribes to it. */
export function EventDetails({ name }: { readonly name: string }) {
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useEventDescription(name, offset, PAGE_SIZE);
  if (data) return <Description event={data} onOffset={setOffset} />;
  if (!error) return <Skeleton height={160} my="sm" aria-label={catalogTexts.detailsLoading} />;
  return <ProblemAlert title={catalogTexts.detailsNotLoaded} error={error} onRetry={() => void refetch()} />;
}

interface DescriptionProps {
  readonly event: EventDescription;
  readonly onOffset: (offset: number) => void;
}

function Description({ event, onOffset }: DescriptionProps) {
  const { name, example, schema, subscribers, total } = event;
  return (
    <Stack gap="xs" py="sm">
      <Anchor component={Link} href={`/deliveries?event=${encodeURIComponent(name)}`} size="sm">
        {catalogTexts.deliveries}
      </Anchor>
      <Heading>{catalogTexts.example}</Heading>
      {example ? (
        <CodeBlock label={catalogTexts.example} text={JSON.stringify(example, null, 2)} />
      ) : (
        <Text size="sm">{catalogTexts.noExample}</Text>
      )}
      <Heading>{catalogTexts.schema}</Heading>
      <CodeBlock label={catalogTexts.schema} text={JSON.stringify(schema, null, 2)} />
      <Heading>{catalogTexts.subscribers}</Heading>
      {total === 0 && <Text size="sm">{catalogTexts.noSubscriber}</Text>}
      <Stack component="ul" gap="xs" aria-label={fill(catalogTexts.subscribersOf, { event: name })}>
        {subscribers.map((subscriber) => (
          <li key={subscriber.id}>
            <Subscriber subscriber={subscriber} />
          </li>
        ))}
      </Stack>
      {total > PAGE_SIZE && (
        <ListPager label={catalogTexts.subscriberPages} page={event} onOffset={onOffset} />
      )}
    </Stack>
  );
}

function Subscriber({ subscriber }: { readonly subscriber: EventSubscriber }) {
  const { id, url, is_active: isActive, matched_patterns: patterns } = subscriber;
  const text = isActive ? catalogTexts.matches : catalogTexts.matchesPaused;
  return (
    <>
      <Anchor component={Link} href={`/${id}`} size="sm" fw={600} className="long-text">
        {url}
      </Anchor>
      <Text size="sm" c="dimmed" className="long-text">
        {fill(text, { patterns: patterns.join(', ') })}
      </Text>
    </>
  );
}

function Heading({ children }: { readonly children: string }) {
  return (
    <Title order={2} size="h6">
      {children}
    </Title>
  );
}
