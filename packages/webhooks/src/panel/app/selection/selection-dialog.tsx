import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SELECTION_DIALOG_TEXTS } from '../../texts/selection-dialog-texts.ts';
import { ApiError } from '../api/api-error.ts';
import { type SelectionAction, type SelectionOutcome, useSelectionAction } from '../api/selection-action.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { fill, hostTexts } from '../texts/host-texts.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import type { Selection } from './selections.tsx';

const texts = hostTexts('selectionDialog', SELECTION_DIALOG_TEXTS);

/** How many names of an outcome are shown. */
const MAX_NAMES = 100;

interface SelectionDialogProps {
  readonly action: SelectionAction;
  readonly selection: Selection;
  /** Whether it leaves older ones out. Default: false. */
  readonly hasOlder?: boolean;
  /** Called with the keys of what was changed. */
  readonly onDone?: (keys: readonly string[]) => void;
  readonly onClose: () => void;
}

/**
 * Says how many of the selection an action would change, carries it out on a click, and reports.
 * What was refused stays selected, where it was selected.
 */
export function SelectionDialog({
  action,
  selection,
  hasOlder = false,
  onDone,
  onClose,
}: SelectionDialogProps) {
  // The selection as it was: it ends with the action.
  const [names] = useState(selection.selected);
  const [keys] = useState(() => [...names.keys()]);
  const { check, act, ...run } = useSelectionAction(action, keys);
  const close = useRef<HTMLButtonElement>(null);
  const count = check.data?.filter(({ outcome }) => outcome === 'done').length ?? 0;
  // The button that had the focus is gone.
  useEffect(() => {
    if (act.isSuccess) close.current?.focus();
  }, [act.isSuccess]);

  function confirm(): void {
    act.mutate(undefined, {
      onSuccess: (outcomes) => {
        selection.keep(outcomes.filter(isRefused).map(({ key }) => key));
        onDone?.(outcomes.filter(({ outcome }) => outcome === 'done').map(({ key }) => key));
      },
    });
  }

  const outcomes = act.data ?? check.data;
  const title = act.isSuccess ? texts.result : texts[`${action}Question`];
  return (
    <PanelDialog onClose={onClose} title={title} centered isDismissible={!act.isPending}>
      <Stack>
        {action === 'delete' && !act.data && <Text size="sm">{texts.deleteAdvice}</Text>}
        {hasOlder && <Text size="sm">{fill(texts.newestOnly, { count: keys.length })}</Text>}
        {(check.isFetching || act.isPending) && (
          <progress
            className="selection-progress"
            value={run.progress}
            max={keys.length}
            aria-label={act.isPending ? texts.doing : texts.checking}
          />
        )}
        {outcomes && (
          <Outcomes
            {...{ action, outcomes, names }}
            isReport={act.isSuccess}
            isKept={act.isSuccess && selection.isOffered}
          />
        )}
        <ProblemAlert title={texts.notChecked} error={check.error} onRetry={check.refetch} />
        <ProblemAlert title={uiTexts.notDone} lostTitle={uiTexts.maybeDone} error={act.error} />
        <Group justify="flex-end">
          {act.isPending ? (
            <Button variant="default" disabled={run.isStopping} onClick={run.stop}>
              {texts.stop}
            </Button>
          ) : (
            <Button ref={close} variant="default" onClick={onClose}>
              {act.isSuccess ? uiTexts.close : uiTexts.cancel}
            </Button>
          )}
          {count > 0 && !act.isSuccess && (
            <Button
              {...(action === 'delete' ? { color: 'red' } : {})}
              loading={act.isPending}
              onClick={confirm}
            >
              {fill(texts[`${action}Confirm`], { count })}
            </Button>
          )}
        </Group>
      </Stack>
    </PanelDialog>
  );
}

function isRefused({ outcome }: SelectionOutcome): boolean {
  return outcome !== 'done' && outcome !== 'unchanged';
}

interface OutcomesProps {
  readonly action: SelectionAction;
  readonly outcomes: readonly SelectionOutcome[];
  readonly names: ReadonlyMap<string, string>;
  /** Whether it has been done. */
  readonly isReport: boolean;
  /** Whether what was refused is still selected. */
  readonly isKept: boolean;
}

/** How many had the same outcome, with their names behind a click. */
function Outcomes({ action, outcomes, names, isReport, isKept }: OutcomesProps) {
  const kinds = [...new Set(outcomes.map(({ outcome }) => outcome))];
  const groups = kinds.map((kind) => [kind, outcomes.filter(({ outcome }) => outcome === kind)] as const);
  return (
    <Stack gap="xs" role="status">
      {groups.map(([outcome, members]) => (
        <Text component="details" key={outcome} size="sm">
          <summary>{outcomeText(action, outcome, members.length, isReport)}</summary>
          <Box component="ul" mah={160} mt={4} mb={0} style={{ overflow: 'auto' }}>
            {members.slice(0, MAX_NAMES).map(({ key }) => (
              <li key={key} className="long-text">
                {names.get(key)}
              </li>
            ))}
            {members.length > MAX_NAMES && <li>…</li>}
          </Box>
        </Text>
      ))}
      {isKept && outcomes.some(isRefused) && <Text size="sm">{texts.stillSelected}</Text>}
    </Stack>
  );
}

function outcomeText(action: SelectionAction, outcome: string, count: number, isReport: boolean): string {
  if (outcome === 'done') {
    return fill(isReport ? texts[`${action}Done`] : texts[`${action}Would`], { count });
  }
  if (outcome === 'unchanged' && (action === 'pause' || action === 'activate')) {
    return fill(texts[`${action}Unchanged`], { count });
  }
  if (outcome === 'not_reached') return fill(texts.notReached, { count });
  return fill(texts.refused, { count, reason: problemMessage(new ApiError(409, outcome)) });
}
