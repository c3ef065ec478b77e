import { Text, Title } from '@mantine/core';
import { firstVisitTexts } from './first-visit-texts.ts';

/** What the steps are for. */
export function Introduction() {
  return (
    <div>
      <Title order={2} size="h4">
        {firstVisitTexts.title}
      </Title>
      <Text size="sm" c="dimmed">
        {firstVisitTexts.lead}
      </Text>
    </div>
  );
}
