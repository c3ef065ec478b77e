import { Box, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { KnownEvent } from '../api/records.ts';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { usePageTitle } from '../page/page-title.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { EventDetails } from './event-details.tsx';

/** Every known event, with its details on demand. */
export function CatalogPage() {
  usePageTitle(catalogTexts.title);
  const { data, error, refetch } = useKnownEvents();
  const [search, setSearch] = useState('');
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2">
          {catalogTexts.title}
        </Title>
        <Text c="dimmed" size="sm">
          {catalogTexts.lead}
        </Text>
      </div>
      <TextInput
        label={catalogTexts.find}
        type="search"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {data && <EventList events={data.filter((event) => isMatch(event, search))} />}
      {!data && !error && <Skeleton height={400} aria-label={catalogTexts.loading} />}
      {!data && error && (
        <ProblemAlert title={catalogTexts.notLoaded} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  );
}

function EventList({ events }: { readonly events: readonly KnownEvent[] }) {
  if (events.length === 0) return <Text>{catalogTexts.noMatch}</Text>;
  return (
    <Paper withBorder px="md">
      <ul>
        {events.map((event) => (
          <Box component="li" key={event.name} className="catalog-entry">
            <EventEntry event={event} />
          </Box>
        ))}
      </ul>
    </Paper>
  );
}

function EventEntry({ event: { name, label } }: { readonly event: KnownEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm" py={8}>
        <Box component="span" className="event-name" c="var(--mantine-color-text)" mx={4}>
          {name}
        </Box>{' '}
        <Text span inherit c="dimmed">
          {label}
        </Text>
      </Text>
      {isOpen && <EventDetails name={name} />}
    </details>
  );
}

function isMatch({ name, label }: KnownEvent, search: string): boolean {
  return `${name} ${label}`.toLowerCase().includes(search.trim().toLowerCase());
}
