import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import type { SecretDialogProps } from './kept-secret.tsx';

/**
 * Shows the signing secret once. Only its button closes it, so that it is not closed by mistake.
 */
export function SecretDialog({ newSecret, onDone }: SecretDialogProps) {
  const { title, url, secret, note } = newSecret;
  return (
    <PanelDialog onClose={onDone} title={title} size="lg" centered isDismissible={false}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle />} title="You see this secret only now">
          Copy it and store it at the recipient, like a password. It cannot be shown again; if it is lost,
          rotate it.
        </Alert>
        <Text size="sm" className="long-text" lineClamp={3}>
          It is the secret of {url}
        </Text>
        <div>
          <Text fw={600} size="sm" mb={4}>
            Signing secret
          </Text>
          <CodeBlock label="Signing secret" text={secret} />
        </div>
        <Text size="sm">
          The recipient uses it to verify that a request really comes from here. Anyone who knows it can forge
          requests.
          {note === undefined ? '' : ` ${note}`}
        </Text>
        <Group justify="space-between">
          <CopyButton text={secret} label="Copy secret" variant="filled" />
          <Button variant="default" onClick={onDone}>
            I have stored it
          </Button>
        </Group>
      </Stack>
    </PanelDialog>
  );
}
