import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useApi } from '../api/api-context.ts';
import { ApiError } from '../api/api-error.ts';
import { problemWords } from '../words/problem-words.ts';

interface ProblemAlertProps {
  readonly title: string;
  readonly error: unknown;
  /** What else to know. */
  readonly advice?: string;
  /** Left out where repeating cannot help, or another button does it. */
  readonly onRetry?: (() => void) | undefined;
}

/** Why something did not work, with a way out. */
export function ProblemAlert({ title, error, advice = '', onRetry }: ProblemAlertProps) {
  const { session } = useApi();
  const isEnded = error instanceof ApiError && error.code === 'session_ended';
  const isForbidden = isForbiddenAccount(error);
  const loginHref = isEnded || isForbidden ? session.loginHref() : null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{problemWords(error)}</Text>
      {advice !== '' && <Text size="sm">{advice}</Text>}
      <Group mt="sm" gap="md" className="alert-ways">
        {loginHref !== null && (
          <Anchor href={loginHref}>{isForbidden ? 'Log in as somebody else' : 'Log in'}</Anchor>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Whether the account itself is what is refused. */
export function isForbiddenAccount(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'insufficient_scope' || error.code === 'forbidden');
}
