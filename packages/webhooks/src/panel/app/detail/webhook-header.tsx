import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFlask,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { WebhookDetail } from '../api/records.ts';
import { useTestWebhook, useUpdateWebhook } from '../api/webhook-actions.ts';
import { catalogTexts } from '../catalog/catalog-texts.ts';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { useEditedWebhook } from '../form/edited-webhook.ts';
import { lastListQuery } from '../list/list-state.ts';
import { pauseReason, troubleTexts } from '../messages/webhook-text.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { useAnnounce } from '../ui/announcements.tsx';
import { changedParameters } from '../ui/changed-parameters.ts';
import { useFold } from '../ui/fold.tsx';
import { visibleText } from '../ui/hidden-characters.ts';
import { Instant } from '../ui/instant.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { WebhookStatus } from '../ui/status-badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { LastFailure } from './last-failure.tsx';
import { webhookTexts } from './webhook-texts.ts';

const EditDialog = lazyComponent(async () => (await import('../form/edit-dialog.tsx')).EditDialog);
const TestDialog = lazyComponent(async () => (await import('./test-dialog.tsx')).TestDialog);
const RotateDialog = lazyComponent(async () => (await import('./rotate-dialog.tsx')).RotateDialog);
const EndSecretDialog = lazyComponent(async () => (await import('./end-secret-dialog.tsx')).EndSecretDialog);
const RecoverDialog = lazyComponent(async () => (await import('./recover-dialog.tsx')).RecoverDialog);
const DeleteDialog = lazyComponent(async () => (await import('../list/delete-dialog.tsx')).DeleteDialog);

/** What succeeded last may have begun after the failures did. */
const OUTAGE_MARGIN_MS = 3_600_000;

type DialogName = 'rotate' | 'end-secret' | 'delete' | 'recover';

/** The name of the webhook, its state and its actions. */
export function WebhookHeader({ webhook }: { readonly webhook: WebhookDetail }) {
  const { description, inactive_since: pausedAt, previous_secret_expires_at: overlapEnd } = webhook;
  const title = webhook.name || webhook.url;
  const { isReadOnly } = useApi();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [parameters, setParameters] = useSearchParams();
  const [, navigate] = useLocation();
  const { editedId, stopEditing } = useEditedWebhook();
  const close = () => setDialog(null);
  const announce = useAnnounce();
  // In the address, so that the dialog is there again after a log-in.
  const isTesting = parameters.has('test') && !isReadOnly;
  const testing = (changes: Readonly<Record<string, string>>) =>
    setParameters((previous) => changedParameters(previous, changes), { replace: true });
  const sent = (deliveryId: string) => {
    testing({ test: '', delivery: deliveryId });
    announce(webhookTexts.testSent);
  };
  const leave = () => {
    // A visitor who has gone to another page in the meantime stays there.
    if (location.pathname.endsWith(`/${webhook.id}`)) navigate(lastListQuery(), { replace: true });
  };
  const paused = pauseReason(webhook);
  const troubles = troubleTexts(webhook);
  const update = useUpdateWebhook(webhook.id);
  const [outageStart, setOutageStart] = useState('');
  const activateAndResend = () => {
    const { health, created_at: createdAt } = webhook;
    const succeededAt = Date.parse(health.last_success_at ?? createdAt);
    // Before it is active: the first success would hide what failed.
    setOutageStart(new Date(succeededAt - OUTAGE_MARGIN_MS).toISOString());
    update.mutate(
      { is_active: true },
      {
        // What fails while it is paused is counted, and sent, once it is active.
        onSuccess: () => setDialog('recover'),
        onError: (error) => announce(error),
      },
    );
  };
  return (
    <Stack gap="md" component="header">
      <div>
        <Group gap="sm" align="center">
          <Title
            order={1}
            size="clamp(1.125rem, 3.4vw, 1.5rem)"
            lineClamp={3}
            className="long-text"
            title={visibleText(title)}
          >
            <VisibleText text={title} />
          </Title>
          <WebhookStatus webhook={webhook} />
        </Group>
        {description !== '' && <Description text={description} />}
        {webhook.health.level !== 'healthy' && <LastFailure webhook={webhook} />}
      </div>
      {!isReadOnly && (
        <HeaderActions webhook={webhook} onTest={() => testing({ test: '1' })} onDialog={setDialog} />
      )}
      {paused !== null && (
        <Alert color="yellow" icon={<IconPlayerPause />} title={webhookTexts.pausedTitle}>
          {paused}{' '}
          {pausedAt !== null && fillNodes(webhookTexts.pausedSince, { time: <Instant at={pausedAt} /> })}
          {!isReadOnly && webhook.inactive_reason !== '' && (
            <Group mt="sm">
              <Button size="xs" variant="default" loading={update.isPending} onClick={activateAndResend}>
                {webhookTexts.activateAndResend}
              </Button>
            </Group>
          )}
        </Alert>
      )}
      {troubles.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title={webhookTexts.troubleTitle}>
          {troubles.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Alert>
      )}
      {overlapEnd !== null && Date.parse(overlapEnd) > Date.now() && (
        <Alert color="indigo" icon={<IconKey />} title={webhookTexts.overlapTitle}>
          {fillNodes(webhookTexts.overlap, { time: <Instant at={overlapEnd} /> })}
          {!isReadOnly && (
            <Group mt="sm">
              <Button size="xs" variant="default" onClick={() => setDialog('end-secret')}>
                {webhookTexts.endOverlap}
              </Button>
            </Group>
          )}
        </Alert>
      )}
      {editedId === webhook.id && <EditDialog webhookId={webhook.id} onClose={stopEditing} />}
      {isTesting && <TestDialog webhook={webhook} onSent={sent} onClose={() => testing({ test: '' })} />}
      {dialog === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      {dialog === 'recover' && <RecoverDialog webhookId={webhook.id} since={outageStart} onClose={close} />}
      {dialog === 'end-secret' && <EndSecretDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} onDeleted={leave} />}
    </Stack>
  );
}

interface HeaderActionsProps {
  readonly webhook: WebhookDetail;
  readonly onTest: () => void;
  readonly onDialog: (dialog: DialogName) => void;
}

function HeaderActions({ webhook, onTest, onDialog }: HeaderActionsProps) {
  const { id, is_active: isActive } = webhook;
  const announce = useAnnounce();
  const update = useUpdateWebhook(id);
  const test = useTestWebhook(id);
  const { open } = useOpenDelivery();
  const { edit } = useEditedWebhook();
  const onError = (error: Error) => announce(error);

  function sendTest(): void {
    const onSuccess = (receipt: { readonly delivery_id: string }) => {
      open(receipt.delivery_id);
      announce(webhookTexts.testSent);
    };
    test.mutate(undefined, { onSuccess, onError });
  }

  function toggle(): void {
    const text = isActive ? webhookTexts.paused : webhookTexts.activated;
    update.mutate({ is_active: !isActive }, { onSuccess: () => announce(text), onError });
  }

  return (
    <Group gap="xs">
      <Button
        variant={isActive ? 'filled' : 'default'}
        leftSection={<IconSend size={16} />}
        loading={test.isPending}
        disabled={!isActive}
        onClick={sendTest}
      >
        {webhookTexts.sendTest}
      </Button>
      <Button variant="default" leftSection={<IconFlask size={16} />} disabled={!isActive} onClick={onTest}>
        {catalogTexts.test}
      </Button>
      <Button
        variant={isActive ? 'default' : 'filled'}
        leftSection={isActive ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        loading={update.isPending}
        onClick={toggle}
      >
        {isActive ? webhookTexts.pause : webhookTexts.activate}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => edit(id)}>
        {webhookTexts.edit}
      </Button>
      <Button variant="default" leftSection={<IconKey size={16} />} onClick={() => onDialog('rotate')}>
        {webhookTexts.rotate}
      </Button>
      <Button
        variant="default"
        className="danger"
        leftSection={<IconTrash size={16} />}
        onClick={() => onDialog('delete')}
      >
        {webhookTexts.delete}
      </Button>
      {!isActive && (
        <Text size="sm" c="dimmed">
          {webhookTexts.activateToTest}
        </Text>
      )}
    </Group>
  );
}

/** Longer texts take more than about four lines. */
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_DESCRIPTION_LINES = 4;

function Description({ text }: { readonly text: string }) {
  const lines = text.split('\n').length;
  const fold = useFold(text.length > MAX_DESCRIPTION_LENGTH || lines > MAX_DESCRIPTION_LINES);
  return (
    <>
      <Text
        c="dimmed"
        className="long-text"
        style={{ whiteSpace: 'pre-line' }}
        {...(fold.isFolded && { lineClamp: MAX_DESCRIPTION_LINES })}
      >
        <VisibleText text={text} />
      </Text>
      {fold.button}
    </>
  );
}
