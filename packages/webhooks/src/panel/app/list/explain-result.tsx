import { Alert, Badge, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExplainedWebhook } from '../api/records.ts';
import { useExplanation } from '../api/webhook-queries.ts';
import { ListPager } from '../paging/list-pager.tsx';
import { fill } from '../texts/host-texts.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { WebhookLink } from '../ui/webhook-link.tsx';
import { explainTexts } from './explain-texts.ts';

const PAGE_SIZE = 20;

/** Shows for each webhook whether it receives an event, and why. */
export function ExplainResult({ event, search }: { readonly event: string; readonly search: string }) {
  const [page, setPage] = useState({ search, offset: 0 });
  const offset = page.search === search ? page.offset : 0;
  const { data, error, refetch } = useExplanation({ event, search, limit: PAGE_SIZE, offset });
  if (error) return <ProblemAlert title={explainTexts.failed} error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={80} mt="md" aria-label={explainTexts.loading} />;
  return (
    <Stack gap="sm" mt="md" aria-live="polite">
      {!data.known && (
        <Alert color="yellow" title={explainTexts.unknownTitle}>
          {explainTexts.unknown}
        </Alert>
      )}
      {search !== '' && (
        <Text size="sm">
          {fill(data.total === 0 ? explainTexts.noneFound : explainTexts.onlyFound, { search })}
        </Text>
      )}
      <Stack component="ul" gap="sm" aria-label={fill(explainTexts.webhooks, { event })}>
        {data.webhooks.map((webhook) => (
          <Group component="li" key={webhook.id} align="flex-start" gap="xs">
            <Box w={96}>
              <Badge
                color={webhook.receives ? 'teal' : 'gray'}
                leftSection={
                  webhook.receives ? <IconCheck size={12} stroke={3} /> : <IconX size={12} stroke={3} />
                }
              >
                {webhook.receives ? explainTexts.getsIt : explainTexts.doesNot}
              </Badge>
            </Box>
            <Box flex="1 1 180px" miw={0}>
              <WebhookLink webhook={webhook} reason={reasonText(webhook)} />
            </Box>
          </Group>
        ))}
      </Stack>
      <ListPager label={explainTexts.pages} page={data} onOffset={(to) => setPage({ search, offset: to })} />
    </Stack>
  );
}

function reasonText(webhook: ExplainedWebhook): string {
  const matched = webhook.matched_patterns.join(', ');
  if (webhook.receives) return fill(explainTexts.matches, { patterns: matched });
  if (!webhook.is_active && matched !== '') return fill(explainTexts.matchesPaused, { patterns: matched });
  const text = webhook.is_active ? explainTexts.noMatch : explainTexts.noMatchPaused;
  return fill(text, { patterns: webhook.events.join(', ') });
}
