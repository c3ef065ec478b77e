import { Group, Text } from '@mantine/core';
import type { WebhookHealth } from '../api/records.ts';
import { fill } from '../texts/host-texts.ts';
import { seriesGround } from '../ui/series-ground.ts';
import { rateText } from '../ui/status-badge.tsx';
import { listTexts } from './list-texts.ts';

/** The success rate of the last 24 hours, as a number and a bar. */
export function HealthBar({ health }: { readonly health: WebhookHealth }) {
  const { success, failed, success_rate: rate } = health;
  if (rate === null) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {listTexts.noResult}
      </Text>
    );
  }
  const counts = fill(listTexts.health, { success, failed });
  return (
    <Group component="span" gap="xs" wrap="nowrap" title={counts}>
      <span className="health-bar" aria-hidden="true">
        {success > 0 && <span className="series" style={{ flexGrow: success, ...seriesGround('success') }} />}
        {failed > 0 && <span className="series" style={{ flexGrow: failed, ...seriesGround('failed') }} />}
      </span>
      {rateText(health)}
    </Group>
  );
}
