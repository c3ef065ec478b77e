import { Group, Paper, Tabs, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { VERIFICATION_CODE } from './verification-code.ts';

/** Code that verifies signatures, for the recipient to paste. */
export function VerificationSection() {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId}>
        Verification code for the recipient
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Anyone can send a request to a public address. The recipient verifies the signature before it trusts a
        request, and processes each delivery id once.
      </Text>
      <Tabs defaultValue={VERIFICATION_CODE[0].name} keepMounted={false}>
        <Tabs.List>
          {VERIFICATION_CODE.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VERIFICATION_CODE.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <Group justify="flex-end" mb="xs">
              <CopyButton text={code} label="Copy code" />
            </Group>
            <CodeBlock label={`Verification code, ${name}`} text={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}
