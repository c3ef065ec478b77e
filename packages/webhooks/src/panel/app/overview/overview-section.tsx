import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useOverview } from '../api/overview.ts';
import type { Overview } from '../api/records.ts';
import { useFold } from '../ui/fold.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { BacklogNotice } from './backlog-notice.tsx';
import { OverviewNumbers } from './overview-numbers.tsx';
import { overviewTexts } from './overview-texts.ts';
import type { ProblemDialog } from './problem-action.tsx';
import { ProblemEntry } from './problem-entry.tsx';

const RecoverDialog = lazyComponent(async () => (await import('../detail/recover-dialog.tsx')).RecoverDialog);
const SelectionDialog = lazyComponent(
  async () => (await import('../selection/selection-dialog.tsx')).SelectionDialog,
);

/** How deliveries fare in numbers, and below what is wrong, each with what to do about it. */
export function OverviewSection() {
  const { data, error, refetch } = useOverview();
  // Not within a problem, which is gone once something is done about it.
  const [dialog, setDialog] = useState<ProblemDialog | null>(null);
  const close = () => setDialog(null);
  if (error && !data) {
    return <ProblemAlert title={overviewTexts.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Stack component="section" className="overview" gap="sm" aria-label={overviewTexts.title}>
      {data && <OverviewNumbers overview={data} />}
      {data && <BacklogNotice backlogs={data.backlogs} />}
      {data && <Problems overview={data} onDialog={setDialog} />}
      {dialog?.kind === 'recover' && (
        <RecoverDialog webhookId={dialog.webhookId} since={dialog.since} onClose={close} />
      )}
      {dialog?.kind === 'resend' && (
        <SelectionDialog
          action="redeliver"
          selection={dialog.selection}
          hasOlder={dialog.hasOlder}
          onClose={close}
        />
      )}
    </Stack>
  );
}

interface ProblemsProps {
  readonly overview: Overview;
  readonly onDialog: (dialog: ProblemDialog) => void;
}

/** With more of them, the list would begin below the window. */
const MAX_SHOWN = 3;

function Problems({ overview, onDialog }: ProblemsProps) {
  const { problems, has_more_problems: hasMore, delivered } = overview;
  const fold = useFold(problems.length > MAX_SHOWN);
  if (problems.length === 0) {
    // Where nothing was sent, there is nothing to say.
    if (delivered.rate === null || hasMore) return null;
    return (
      <Group gap={6} wrap="nowrap" className="overview-fine">
        <IconCircleCheck size={18} aria-hidden="true" />
        <Text size="sm">{overviewTexts.fine}</Text>
      </Group>
    );
  }
  return (
    <Paper withBorder className="problems">
      <Title order={2} size="h6" px="md" pt="sm">
        {overviewTexts.problems}
      </Title>
      <ul>
        {problems.slice(0, fold.isFolded ? MAX_SHOWN : undefined).map((problem) => (
          <li key={`${problem.webhook_id} ${problem.error}`} className="problem">
            <ProblemEntry problem={problem} onDialog={onDialog} />
          </li>
        ))}
      </ul>
      {fold.button && (
        <Group px="md" pb="sm">
          {fold.button}
        </Group>
      )}
      {hasMore && !fold.isFolded && (
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {overviewTexts.moreProblems}
        </Text>
      )}
    </Paper>
  );
}
