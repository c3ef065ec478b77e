import { Group, Text } from '@mantine/core';
import type { PanelConfig } from '../panel-config.ts';

/** The host's logo and title; nothing if it has neither. */
export function Brand({ config: { title, logoUrl } }: { readonly config: PanelConfig }) {
  if (title === null && logoUrl === null) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {logoUrl !== null && <img src={logoUrl} alt="" height={28} />}
      {title !== null && (
        <Text fw={650} className="long-text">
          {title}
        </Text>
      )}
    </Group>
  );
}
