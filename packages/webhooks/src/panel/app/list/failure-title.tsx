import { Text } from '@mantine/core';
import { failureMessage } from '../messages/failure-message.ts';

interface FailureTitleProps {
  readonly code: string;
  readonly event: string;
}

/** Why a delivery failed, on one line; pointing at it shows which event it was of. */
export function FailureTitle({ code, event }: FailureTitleProps) {
  const { title } = failureMessage(code);
  return (
    <Text size="xs" truncate title={`${title} (${event})`}>
      {title}
    </Text>
  );
}
