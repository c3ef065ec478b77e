import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useApi } from '../api/api-context.ts';
import { ApiError, isSessionEnded } from '../api/api-error.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { uiTexts } from './ui-texts.ts';

interface ProblemAlertProps {
  readonly title: string;
  readonly error: unknown;
  /** Additional advice. */
  readonly advice?: string;
  /** Omitted if repeating does not help, or if another button does it. */
  readonly onRetry?: (() => void) | undefined;
}

/** Explains why a request failed, with a way to continue. */
export function ProblemAlert({ title, error, advice = '', onRetry }: ProblemAlertProps) {
  const { session } = useApi();
  const isForbidden = isForbiddenAccount(error);
  const loginHref = isSessionEnded(error) || isForbidden ? session.loginHref() : null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{problemMessage(error)}</Text>
      {advice !== '' && <Text size="sm">{advice}</Text>}
      <Group mt="sm" gap="md">
        {loginHref !== null && (
          <Anchor href={loginHref}>{isForbidden ? uiTexts.logInAsOther : uiTexts.logIn}</Anchor>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {uiTexts.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** True if the account itself lacks permission. */
export function isForbiddenAccount(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'insufficient_scope' || error.code === 'forbidden');
}
