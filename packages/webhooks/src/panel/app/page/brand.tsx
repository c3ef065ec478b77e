import { Box, Group, Text } from '@mantine/core';
import type { PanelConfig } from '../panel-config.ts';

/** The host's logo and title; nothing if it has neither. */
export function Brand({ config: { title, logos } }: { readonly config: PanelConfig }) {
  if (title === null && logos.light === null && logos.dark === null) return null;
  const hasOne = logos.light === logos.dark;
  return (
    <Group gap="xs" wrap="nowrap">
      {logos.light !== null && (
        <Box component="img" src={logos.light} alt="" h={28} {...(!hasOne && { darkHidden: true })} />
      )}
      {logos.dark !== null && !hasOne && <Box component="img" src={logos.dark} alt="" h={28} lightHidden />}
      {title !== null && (
        <Text fw={650} className="long-text">
          {title}
        </Text>
      )}
    </Group>
  );
}
