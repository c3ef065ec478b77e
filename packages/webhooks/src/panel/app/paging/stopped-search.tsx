import { Alert, Button, Group, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { Instant } from '../ui/instant.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

/** Says how far back a search for deliveries has come that had to stop, and goes on with it. */
export function StoppedSearch({ at, onGoOn }: { readonly at: string; readonly onGoOn: () => void }) {
  return (
    <Alert
      color="indigo"
      icon={<IconSearch />}
      title={fillNodes(uiTexts.stoppedTitle, { time: <Instant at={at} /> })}
    >
      <Text size="sm">{uiTexts.stopped}</Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={onGoOn}>
          {uiTexts.goOn}
        </Button>
      </Group>
    </Alert>
  );
}
