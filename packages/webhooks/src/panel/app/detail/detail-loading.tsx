import { Skeleton, Stack } from '@mantine/core';
import { uiTexts } from '../ui/ui-texts.ts';

/** The place of a webhook that is loading, with the heights of what follows. */
export function DetailLoading() {
  return (
    <Stack gap="lg" aria-label={uiTexts.webhookLoading} role="status">
      <Skeleton height={96} />
      <Skeleton height={36} />
      <Skeleton height={330} />
      <Skeleton height={420} />
    </Stack>
  );
}
