import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { DeliveryProblem } from '../api/records.ts';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { Instant } from '../ui/instant.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { causeTitle } from './cause-title.ts';
import { overviewTexts } from './overview-texts.ts';
import { ProblemAction, type ProblemActionProps } from './problem-action.tsx';

/** The beginning of what a recipient answered; the rest is in the delivery. */
const MAX_ANSWER_LENGTH = 200;

const CHANGES = {
  created: overviewTexts.created,
  edited: overviewTexts.edited,
  rotated: overviewTexts.rotated,
  secret_ended: overviewTexts.secretEnded,
} as const;

/** Which webhook, why and since when, how many, what the recipient says, and what to do. */
export function ProblemEntry({ problem, onDialog }: ProblemActionProps) {
  const { webhook_id: id, tenant, url, name, changed, response_body: body } = problem;
  const { isReadOnly } = useApi();
  const answer = body.trim().slice(0, MAX_ANSWER_LENGTH);
  return (
    <>
      <div className="problem-text">
        <Group gap="2px 8px">
          <Anchor component={Link} href={`/${id}`} size="sm" fw={600} className="problem-webhook long-text">
            {name === '' ? <WebhookUrl url={url} /> : <VisibleText text={name} />}
          </Anchor>
          {tenant !== undefined && (
            <Text size="sm" c="dimmed" component="span" className="long-text">
              <VisibleText text={tenant} />
            </Text>
          )}
        </Group>
        <Cause problem={problem} />
        {answer !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2} className="long-text">
            {overviewTexts.answered}{' '}
            <q>
              <VisibleText text={answer} />
            </q>
          </Text>
        )}
        {changed !== null && (
          <Text size="sm" c="dimmed">
            {fillNodes(CHANGES[changed.what], { time: <Instant at={changed.at} /> })}
          </Text>
        )}
      </div>
      {!isReadOnly && <ProblemAction problem={problem} onDialog={onDialog} />}
    </>
  );
}

/** The reason, as a link to the newest delivery, with the numbers. */
function Cause({ problem }: { readonly problem: DeliveryProblem }) {
  const { error, since, failed, waiting, is_whole: isWhole, delivery_id: deliveryId } = problem;
  const { linkTo } = useOpenDelivery();
  const title = causeTitle(problem);
  const waitingText = error === '' ? overviewTexts.overdueCount : overviewTexts.waitingCount;
  const counts = [
    ...(failed > 0 ? [fill(overviewTexts.failed, { count: failed })] : []),
    ...(waiting > 0 ? [fill(waitingText, { count: waiting })] : []),
  ].join(' · ');
  return (
    <Group gap="2px 8px">
      {deliveryId === null ? (
        <Text size="sm" className="danger" component="span">
          {title}
        </Text>
      ) : (
        <Anchor component={Link} {...linkTo(deliveryId)} size="sm" className="danger" underline="always">
          {title}
        </Anchor>
      )}
      {counts !== '' && (
        <Text size="sm" component="span">
          {isWhole ? counts : fill(overviewTexts.orMore, { count: counts })}
        </Text>
      )}
      <Text size="sm" c="dimmed" component="span">
        {fillNodes(overviewTexts.since, { time: <Instant at={since} /> })}
      </Text>
    </Group>
  );
}
