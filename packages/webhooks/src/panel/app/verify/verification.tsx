import { Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconCheck, IconSend } from '@tabler/icons-react';
import { useId } from 'react';
import node from '../../../../docs/recipients/node.mjs?raw';
import library from '../../../../docs/recipients/node-library.mjs?raw';
import csharp from '../../../../docs/recipients/Verify.cs?raw';
import java from '../../../../docs/recipients/Verify.java?raw';
import go from '../../../../docs/recipients/verify.go?raw';
import php from '../../../../docs/recipients/verify.php?raw';
import python from '../../../../docs/recipients/verify.py?raw';
import ruby from '../../../../docs/recipients/verify.rb?raw';
import { useApi } from '../api/api-context.ts';
import { useTestWebhook } from '../api/webhook-actions.ts';
import { useDelivery } from '../api/webhook-queries.ts';
import { webhookDialogTexts as texts } from '../detail/webhook-texts.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { tabStorage } from '../tab-storage.ts';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

/** Each is a whole file, which the tests run against signed deliveries. */
const SAMPLES: Readonly<Record<string, string>> = {
  'Node.js': library,
  [texts.withoutLibrary]: node,
  Python: python,
  PHP: php,
  Java: java,
  Go: go,
  Ruby: ruby,
  'C#': csharp,
};
const LANGUAGES = Object.keys(SAMPLES);

interface VerificationProps {
  readonly webhook: { readonly id: number; readonly is_active: boolean };
}

/** The code and the test of a recipient, on a webhook's page. */
export function VerificationSection(props: VerificationProps) {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={headingId}>
      <Title order={2} size="h4" id={headingId}>
        {texts.verification}
      </Title>
      <Verification {...props} />
    </Paper>
  );
}

/** Code that verifies signatures, for the recipient to paste, and a test of it. */
export function Verification({ webhook }: VerificationProps) {
  const { isReadOnly } = useApi();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {texts.verificationAdvice}
      </Text>
      <VerificationTabs />
      {webhook.is_active && !isReadOnly && <TestNow id={webhook.id} />}
    </Stack>
  );
}

/** What the tab keeps: who copied the code of a language means that one on the next page, too. */
const CHOSEN = 'code-language';

/** The code in each language, to copy. */
export function VerificationTabs() {
  const chosen = LANGUAGES.find((name) => name === tabStorage.get(CHOSEN)) ?? LANGUAGES[0] ?? null;
  return (
    <Tabs
      defaultValue={chosen}
      onChange={(name) => name !== null && tabStorage.set(CHOSEN, name)}
      keepMounted={false}
    >
      <Tabs.List>
        {LANGUAGES.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(SAMPLES).map(([language, code]) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <Group justify="flex-end" mb="xs">
            <CopyButton text={code} label={texts.copyCode} />
          </Group>
          <CodeBlock label={fill(texts.codeLabel, { language })} text={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Sends a test, and says how the recipient answered as soon as it has. */
function TestNow({ id }: { readonly id: number }) {
  const { mutate, data, error, isPending } = useTestWebhook(id);
  return (
    <>
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSend size={16} />}
          loading={isPending}
          onClick={() => mutate(undefined)}
        >
          {texts.testNow}
        </Button>
        <Text size="sm" component="span" role="status">
          {data && <TestResult key={data.delivery_id} deliveryId={data.delivery_id} />}
        </Text>
      </Group>
      <ProblemAlert title={uiTexts.notDone} error={error} />
    </>
  );
}

/** Read again by the page's refresh, as every delivery is while an attempt of it is due. */
function TestResult({ deliveryId }: { readonly deliveryId: string }) {
  const { data } = useDelivery(deliveryId);
  if (data?.status === 'success') {
    return (
      <>
        <IconCheck size={16} /> {fill(texts.testReceived, { status: String(data.status_code) })}
      </>
    );
  }
  return data && data.error !== ''
    ? fill(texts.testRefused, { failure: failureMessage(data.error).title })
    : texts.testWaiting;
}
