import { Anchor, Box, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useKnownEvents } from '../api/webhook-queries.ts';
import { usePageTitle } from '../page/page-title.ts';
import { Unread } from '../ui/problem-alert.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { EventPage } from './event-page.tsx';
import { foundEvents } from './found-events.ts';

interface CatalogPageProps {
  /** Of one event; undefined for the list of all. */
  readonly name: string | undefined;
}

/** Every known event by what it is about, or one of them. */
export function CatalogPage({ name }: CatalogPageProps) {
  return name === undefined ? <EventsPage /> : <EventPage key={name} name={name} />;
}

function EventsPage() {
  usePageTitle(catalogTexts.title);
  const known = useKnownEvents();
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
      {known.data && <EventGroups groups={foundEvents(known.data, search)} />}
      <Unread read={known} problem={catalogTexts.notLoaded}>
        <Skeleton height={400} aria-label={catalogTexts.loading} />
      </Unread>
    </Stack>
  );
}

function EventGroups({ groups }: { readonly groups: ReturnType<typeof foundEvents> }) {
  if (groups.length === 0) return <Text>{catalogTexts.noMatch}</Text>;
  return (
    <div className="catalog-groups">
      {groups.map(([entity, members]) => (
        <section key={entity} aria-labelledby={`entity-${entity}`}>
          <Title order={2} size="h6" id={`entity-${entity}`} className="event-name" mb={4}>
            {entity}
          </Title>
          <Paper withBorder px="md">
            <ul>
              {members.map(({ name, label }) => (
                <Box component="li" key={name} className="catalog-entry">
                  <Anchor component={Link} href={`/events/${name}`} className="catalog-name">
                    {name}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {label}
                  </Text>
                </Box>
              ))}
            </ul>
          </Paper>
        </section>
      ))}
    </div>
  );
}
