import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useDelivery, useWebhook } from '../api/webhook-queries.ts';
import { isTyping } from '../selection/selections.tsx';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { DIALOG_ATTRIBUTES, DialogContent, useReturnedFocus } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { deliveryTexts } from './delivery-texts.ts';
import { DeliveryView } from './delivery-view.tsx';
import { useOpenDelivery } from './open-delivery.ts';
import { useResend } from './resend.ts';

const KEYS = {
  next: <kbd>j</kbd>,
  previous: <kbd>k</kbd>,
  resend: <kbd>r</kbd>,
  close: <kbd>{deliveryTexts.escapeKey}</kbd>,
};

/** One delivery, over the page from which it was opened. */
export function DeliveryPanel({ deliveryId }: { readonly deliveryId: string }) {
  const { open, close } = useOpenDelivery();
  const { previous, next } = useBeside(deliveryId);
  const deliveryRead = useDelivery(deliveryId);
  const delivery = deliveryRead.data;
  const webhookRead = useWebhook(delivery?.webhook_id ?? 0, delivery !== undefined);
  const webhook = webhookRead.data;
  const missing = delivery ? webhookRead : deliveryRead;
  const resend = useResend(delivery, webhook);
  useReturnedFocus(() => linksById().get(deliveryId));

  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    j: next === undefined ? next : () => open(next),
    k: previous === undefined ? previous : () => open(previous),
    r: resend.send,
  };
  function act(event: KeyboardEvent): void {
    const isHeld = event.repeat && event.key === 'r';
    const isOther = event.ctrlKey || event.metaKey || event.altKey || isHeld || isTyping(event.target);
    if (!isOther) actions[event.key]?.();
  }
  return (
    <Drawer
      opened
      onClose={close}
      returnFocus={false}
      position="right"
      size={960}
      className="delivery-panel"
      attributes={DIALOG_ATTRIBUTES}
      title={fill(deliveryTexts.label, { id: deliveryId })}
      onKeyDown={act}
    >
      <DialogContent>
        <Stack className="frame" key={deliveryId}>
          <Group component="nav" gap="xs" aria-label={deliveryTexts.beside}>
            {(['k', 'j'] as const).map((key) => (
              <Button
                key={key}
                variant="default"
                size="compact-sm"
                aria-keyshortcuts={key}
                disabled={actions[key] === undefined}
                onClick={actions[key]}
              >
                {key === 'j' ? deliveryTexts.next : deliveryTexts.previous}
              </Button>
            ))}
          </Group>
          {delivery && webhook && <DeliveryView webhook={webhook} delivery={delivery} resend={resend} />}
          {!(delivery && webhook) && missing.error && (
            <ProblemAlert
              title={delivery ? uiTexts.webhookNotLoaded : deliveryTexts.notLoaded}
              error={missing.error}
              onRetry={() => void missing.refetch()}
            />
          )}
          {!(delivery && webhook) && !missing.error && (
            <Skeleton height={320} aria-label={deliveryTexts.loading} />
          )}
          <Text size="xs" c="dimmed" className="shortcuts">
            {fillNodes(deliveryTexts.shortcuts, KEYS)}
          </Text>
        </Stack>
      </DialogContent>
    </Drawer>
  );
}

/** The links of the rows, by the delivery that they open. */
function linksById(): ReadonlyMap<string, HTMLAnchorElement> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a.row-link')];
  return new Map(links.map((link) => [new URLSearchParams(link.search).get('delivery') ?? '', link]));
}

/** The deliveries of the rows beside that of this one, as the page below shows them. */
function useBeside(deliveryId: string) {
  const [shown, setShown] = useState<readonly string[]>([]);
  // The page below may still be read.
  const fetching = useIsFetching();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows change when something was read.
  useEffect(() => setShown([...linksById().keys()]), [fetching]);
  const place = shown.indexOf(deliveryId);
  return place === -1 ? {} : { previous: shown[place - 1], next: shown[place + 1] };
}
