import { Anchor, Button } from '@mantine/core';
import { Link } from 'wouter';
import { useFailedOf } from '../api/overview.ts';
import type { DeliveryProblem } from '../api/records.ts';
import { useUpdateWebhook } from '../api/webhook-actions.ts';
import { type Selection, selectableDelivery } from '../selection/selections.tsx';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { causeTitle } from './cause-title.ts';
import { overviewTexts } from './overview-texts.ts';

/** What opens for a problem: the count of what would be sent again, before it is. */
export type ProblemDialog =
  | { readonly kind: 'recover'; readonly webhookId: number; readonly since: string }
  | { readonly kind: 'resend'; readonly selection: Selection; readonly hasOlder: boolean };

export interface ProblemActionProps {
  readonly problem: DeliveryProblem;
  readonly onDialog: (dialog: ProblemDialog) => void;
}

/** The one thing to do about a problem. */
export function ProblemAction(props: ProblemActionProps) {
  const { problem } = props;
  if (!problem.is_active) return <ActivateAndResend {...props} />;
  if (problem.failed > 0) return <Resend {...props} />;
  return (
    <Anchor component={Link} href={`/${problem.webhook_id}?status=pending`} size="sm">
      {overviewTexts.see}
    </Anchor>
  );
}

/** Sends again what failed for this reason, once a dialog has said how many that are now. */
function Resend({ problem, onDialog }: ProblemActionProps) {
  const announce = useAnnounce();
  const { mutateAsync, isPending } = useFailedOf(problem);
  const label = problem.is_whole
    ? fill(overviewTexts.resend, { count: problem.failed })
    : overviewTexts.resendAll;

  function read(): void {
    mutateAsync().then(
      ({ newest, hasOlder }) => {
        if (newest.length === 0) return announce(overviewTexts[hasOlder ? 'noneFound' : 'noneLeft']);
        onDialog({ kind: 'resend', selection: selectionOf(newest.map(selectableDelivery)), hasOlder });
      },
      (error: Error) => announce(error),
    );
  }

  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      aria-label={actionLabel(label, problem)}
      onClick={read}
    >
      {label}
    </Button>
  );
}

/** What failed since then is counted, and sent, once the webhook is active. */
function ActivateAndResend({ problem, onDialog }: ProblemActionProps) {
  const { webhook_id: webhookId, failed, is_whole: isWhole, since } = problem;
  const announce = useAnnounce();
  const { mutateAsync, isPending } = useUpdateWebhook(webhookId);
  const labelOfSome = isWhole
    ? fill(overviewTexts.activateAndResend, { count: failed })
    : overviewTexts.activateAndResendAll;
  const label = failed === 0 ? overviewTexts.activate : labelOfSome;

  function activate(): void {
    // No mutation callbacks, which are dropped: an active webhook has another action.
    mutateAsync({ is_active: true }).then(
      () => failed > 0 && onDialog({ kind: 'recover', webhookId, since }),
      (error: Error) => announce(error),
    );
  }

  return (
    <Button size="xs" loading={isPending} aria-label={actionLabel(label, problem)} onClick={activate}>
      {label}
    </Button>
  );
}

/** Says of which of several buttons with the same text it is. */
function actionLabel(action: string, problem: DeliveryProblem): string {
  const { url, name } = problem;
  return fill(overviewTexts.resendLabel, { action, url: name || url, error: causeTitle(problem) });
}

/** What is sent again without having been selected. */
function selectionOf(items: readonly { readonly key: string; readonly name: string }[]): Selection {
  return {
    isOffered: false,
    selected: new Map(items.map(({ key, name }) => [key, name])),
    isFull: false,
    select: () => undefined,
    keep: () => undefined,
  };
}
