import { Group, Paper, Tabs, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { VERIFICATION_CODE } from './verification-code.ts';
import { webhookDialogTexts } from './webhook-texts.ts';

/** Code that verifies signatures, for the recipient to paste. */
export function VerificationSection() {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId}>
        {webhookDialogTexts.verification}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {webhookDialogTexts.verificationAdvice}
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
              <CopyButton text={code} label={webhookDialogTexts.copyCode} />
            </Group>
            <CodeBlock label={fill(webhookDialogTexts.codeLabel, { language: name })} text={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}
