import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ListedWebhook } from '../api/records.ts';
import { useWebhookList } from '../api/webhook-queries.ts';
import { CreateDialog } from '../form/create-dialog.tsx';
import { EditDialog } from '../form/edit-dialog.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ExplainSection } from './explain-section.tsx';
import { ListFilters } from './list-filters.tsx';
import { ListPager } from './list-pager.tsx';
import { useListState } from './list-state.ts';
import { NoWebhooks } from './no-webhooks.tsx';
import { WebhookTable } from './webhook-table.tsx';

/** All webhooks: found, added, changed, tested, removed. */
export function ListPage() {
  usePageTitle('Webhooks');
  const list = useListState();
  const { data, error, isPending, isPlaceholderData, refetch } = useWebhookList(list.query);
  const [edited, setEdited] = useState<ListedWebhook | null>(null);
  const [deleted, setDeleted] = useState<ListedWebhook | null>(null);
  const isEmpty = data?.total === 0 && !list.isFiltered;

  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <div className="page-heading">
          <Title order={1} size="h2">
            Webhooks
          </Title>
          <Text c="dimmed" size="sm">
            Other systems are told what happens here: each event is sent to every address that asked for it.
          </Text>
        </div>
        <Button leftSection={<IconPlus size={18} />} onClick={() => list.setCreating(true)}>
          Add webhook
        </Button>
      </Group>

      {!isEmpty && <ListFilters state={list} />}
      {error && !data ? (
        <ProblemAlert title="The webhooks could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {error ? (
            <ProblemAlert title="This may be out of date" error={error} onRetry={() => void refetch()} />
          ) : null}
          {data?.webhooks.length === 0 ? (
            <NoWebhooks
              isFiltered={list.isFiltered}
              onClear={list.clear}
              onCreate={() => list.setCreating(true)}
            />
          ) : (
            <WebhookTable
              webhooks={data?.webhooks ?? []}
              isLoading={isPending}
              isStale={isPlaceholderData}
              onEdit={setEdited}
              onDelete={setDeleted}
            />
          )}
          {data && <ListPager label="Pages of webhooks" page={data} onOffset={list.setOffset} />}
        </>
      )}
      {!isEmpty && <ExplainSection />}

      {list.isCreating && <CreateDialog onClose={() => list.setCreating(false)} />}
      {edited && <EditDialog webhook={edited} onClose={() => setEdited(null)} />}
      {deleted && (
        <DeleteDialog webhook={deleted} onClose={() => setDeleted(null)} onDeleted={() => setDeleted(null)} />
      )}
    </Stack>
  );
}
