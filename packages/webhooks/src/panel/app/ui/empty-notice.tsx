import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyNoticeProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** Explains an empty list, and what the user can do about it. */
export function EmptyNotice({ icon, title, text, children }: EmptyNoticeProps) {
  return (
    <Stack
      align="center"
      gap="xs"
      px="md"
      py="xl"
      bd="1px dashed var(--panel-border)"
      bdrs="md"
      bg="var(--mantine-color-body)"
    >
      <Box c="dimmed" aria-hidden="true">
        {icon}
      </Box>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" maw={480} ta="center">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
