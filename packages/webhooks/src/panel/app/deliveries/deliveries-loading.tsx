import { Skeleton, Stack } from '@mantine/core';
import { uiTexts } from '../ui/ui-texts.ts';

/** The place of the page that is loading, with the heights of what follows. */
export function DeliveriesLoading() {
  return (
    <Stack gap="lg" aria-label={uiTexts.deliveries} role="status">
      <Skeleton height={56} />
      <Skeleton height={60} />
      <Skeleton height={800} />
    </Stack>
  );
}
