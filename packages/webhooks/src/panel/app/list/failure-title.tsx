import { Text } from '@mantine/core';
import { failureMessage } from '../messages/failure-message.ts';

/** Why a delivery failed, on two lines at most. */
export function FailureTitle({ code }: { readonly code: string }) {
  const { title } = failureMessage(code);
  return (
    <Text size="xs" lineClamp={2} title={title}>
      {title}
    </Text>
  );
}
