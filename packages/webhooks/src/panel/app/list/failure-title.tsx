import { Text } from '@mantine/core';
import { failureMessage } from '../messages/failure-message.ts';

/** Why a delivery failed, on one line. */
export function FailureTitle({ code }: { readonly code: string }) {
  const { title } = failureMessage(code);
  return (
    <Text size="xs" truncate title={title}>
      {title}
    </Text>
  );
}
