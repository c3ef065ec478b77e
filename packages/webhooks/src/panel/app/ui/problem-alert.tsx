import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useApi } from '../api/api-context.ts';
import { ApiError, isAnswerLost, isSessionEnded } from '../api/api-error.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { SupportLink } from './support-link.tsx';
import { uiTexts } from './ui-texts.ts';

interface ProblemAlertProps {
  readonly title: string;
  /** The title where the request may have succeeded. Default: the same. */
  readonly lostTitle?: string;
  /** Nothing is shown without one. */
  readonly error: unknown;
  /** Additional advice. */
  readonly advice?: string;
  /** Omitted if repeating does not help, or if another button does it. */
  readonly onRetry?: (() => unknown) | undefined;
}

/** Explains why a request failed, with a way to continue. */
export function ProblemAlert({ title, lostTitle = title, error, advice = '', onRetry }: ProblemAlertProps) {
  const { session } = useApi();
  if (!error) return null;
  const isForbidden = isForbiddenAccount(error);
  const loginHref = isSessionEnded(error) || isForbidden ? session.loginHref() : null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={isAnswerLost(error) ? lostTitle : title}>
      <Text size="sm">{problemMessage(error)}</Text>
      {advice !== '' && <Text size="sm">{advice}</Text>}
      <Group mt="sm" gap="md">
        {loginHref !== null && (
          <Anchor href={loginHref} target={session.loginTarget} onClick={session.storeInput}>
            {isForbidden ? uiTexts.logInAsOther : uiTexts.logIn}
          </Anchor>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={() => void onRetry()}>
            {uiTexts.tryAgain}
          </Button>
        )}
        <SupportLink />
      </Group>
    </Alert>
  );
}

interface UnreadProps {
  readonly read: { readonly data: unknown; readonly error: unknown; refetch(): unknown };
  /** What it says if it cannot be read. */
  readonly problem: string;
  /** What stands there while it is read. Default: nothing. */
  readonly children?: ReactNode;
}

/** Stands in the place of what is not read yet. */
export function Unread({ read: { data, error, refetch }, problem, children }: UnreadProps) {
  if (data !== undefined) return null;
  return error ? <ProblemAlert title={problem} error={error} onRetry={refetch} /> : children;
}

/** True if the account itself lacks permission. */
export function isForbiddenAccount(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'insufficient_scope' || error.code === 'forbidden');
}
