import { ActionIcon, Group } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { fill } from '../texts/host-texts.ts';
import { agoText } from '../ui/instant.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

interface FreshnessProps {
  /** When the page was last known to be current, as milliseconds since 1970; 0: not yet. */
  readonly currentAt: number;
  readonly onRefresh: () => Promise<void>;
}

const TICK_MS = 1_000;

/** Says how old the page is, with a button that reads it again. */
export function Freshness({ currentAt, onRefresh }: FreshnessProps) {
  const [isBusy, setBusy] = useState(false);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  async function refresh(): Promise<void> {
    setBusy(true);
    await onRefresh().finally(() => setBusy(false));
  }
  return (
    <Group component="span" gap="xs" fz="sm" c="dimmed">
      {currentAt > 0 && fill(uiTexts.updated, { time: agoText(currentAt, now) })}
      <ActionIcon
        variant="default"
        size={26}
        aria-label={uiTexts.refresh}
        loading={isBusy}
        onClick={() => void refresh()}
      >
        <IconRefresh size={16} />
      </ActionIcon>
    </Group>
  );
}
