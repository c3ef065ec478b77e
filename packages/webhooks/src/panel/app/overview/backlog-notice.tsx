import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../api/records.ts';
import { fill } from '../texts/host-texts.ts';
import { pendingText } from '../ui/status-badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { overviewTexts } from './overview-texts.ts';

/** With more of them, the list would begin below the window. */
const MAX_SHOWN = 3;

/** Where deliveries pile up: how many wait, as a link to them, and whose they are. */
export function BacklogNotice({ backlogs: { largest, others } }: Pick<Overview, 'backlogs'>) {
  if (largest.length === 0) return null;
  const shown = largest.slice(0, MAX_SHOWN);
  const more = largest.length - shown.length + (others ?? 0);
  return (
    <Paper withBorder px="md" py="sm">
      {shown.map(({ tenant = '', pending }) => (
        <Group key={tenant} gap="2px 8px">
          <Anchor component={Link} href={pendingOf(tenant)} size="sm" underline="always">
            {fill(overviewTexts.backlog, { count: pendingText(pending) })}
          </Anchor>
          <Text size="sm" c="dimmed" component="span" className="long-text">
            <VisibleText text={tenant} />
          </Text>
        </Group>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {fill(overviewTexts.otherBacklogs, { count: more })}
        </Text>
      )}
    </Paper>
  );
}

function pendingOf(tenant: string): string {
  return `/deliveries?${new URLSearchParams({ status: 'pending', ...(tenant !== '' && { tenant }) })}`;
}
