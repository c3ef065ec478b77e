import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { PageBoundary } from '../page/page-boundary.tsx';
import { fill } from '../texts/host-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { formTexts } from './form-texts.ts';
import type { SecretDialogProps } from './kept-secret.tsx';

const Verification = lazyComponent(async () => (await import('../verify/verification.tsx')).Verification);

/**
 * Shows the signing secret once. Only its button closes it, so that it is not closed by mistake.
 */
export function SecretDialog({ newSecret, onDone }: SecretDialogProps) {
  const { title, url, secret, note, webhook } = newSecret;
  return (
    <PanelDialog onClose={onDone} title={title} size="lg" centered isDismissible={false}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle />} title={formTexts.secretOnce}>
          {formTexts.secretAdvice}
        </Alert>
        <Text size="sm" className="long-text" lineClamp={3}>
          {fill(formTexts.secretOf, { url })}
        </Text>
        <div>
          <Text fw={600} size="sm" mb={4}>
            {formTexts.secret}
          </Text>
          <CodeBlock label={formTexts.secret} text={secret} />
        </div>
        <Group>
          <CopyButton text={secret} label={formTexts.copySecret} variant="filled" />
          <Button variant="default" onClick={onDone}>
            {formTexts.stored}
          </Button>
        </Group>
        <Text size="sm">
          {formTexts.secretUse}
          {note === undefined ? '' : ` ${note}`}
        </Text>
        <PageBoundary>
          <Verification webhook={webhook} />
        </PageBoundary>
      </Stack>
    </PanelDialog>
  );
}
