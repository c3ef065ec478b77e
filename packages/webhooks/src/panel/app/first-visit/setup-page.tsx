import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { useCurrent } from '../api/refresh.ts';
import { useWebhook } from '../api/webhook-queries.ts';
import { listTexts } from '../list/list-texts.ts';
import { usePageTitle } from '../page/page-title.ts';
import { changedParameters } from '../ui/changed-parameters.ts';
import { PatternPills } from '../ui/pattern-pills.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { VerificationTabs } from '../verify/verification.tsx';
import { firstVisitTexts } from './first-visit-texts.ts';
import { Introduction } from './introduction.tsx';
import { Step } from './step.tsx';
import { TestStep } from './test-step.tsx';

/** The page on which the steps go on once the webhook is registered. */
export function SetupPage({ webhookId }: { readonly webhookId: number }) {
  usePageTitle(listTexts.title);
  return (
    <Stack gap="md">
      <Title order={1} size="h2">
        {listTexts.title}
      </Title>
      <Introduction />
      <RegisteredSteps webhookId={webhookId} />
    </Stack>
  );
}

/**
 * The steps of a webhook that is registered. What was done is in the address and in the webhook, so
 * that a reload and a log-in lose nothing.
 */
function RegisteredSteps({ webhookId }: { readonly webhookId: number }) {
  const { isReadOnly } = useApi();
  const { data: webhook, error, refetch } = useWebhook(webhookId);
  const [parameters, setParameters] = useSearchParams();
  useCurrent([webhookId]);
  if (webhook === undefined) {
    return (
      error && <ProblemAlert title={uiTexts.webhookNotLoaded} error={error} onRetry={() => void refetch()} />
    );
  }
  const mark = (changes: Readonly<Record<string, string>>) =>
    setParameters((previous) => changedParameters(previous, changes), { replace: true });
  const isReceived = webhook.stats.success > 0;
  const isVerified = parameters.has('verified');
  return (
    <>
      <ol className="steps">
        <Step number={1} title={firstVisitTexts.address} isDone>
          <Text size="sm" className="long-text">
            <VisibleText text={webhook.name === '' ? webhook.url : `${webhook.name} · ${webhook.url}`} />
          </Text>
        </Step>
        <Step number={2} title={firstVisitTexts.events} isDone>
          <PatternPills patterns={webhook.events} />
        </Step>
        <Step number={3} title={firstVisitTexts.secret} isDone={isVerified}>
          {!isVerified && (
            <>
              <Text size="sm">{firstVisitTexts.secretAdvice}</Text>
              <VerificationTabs />
              <Group>
                <Button variant="default" onClick={() => mark({ verified: '1' })}>
                  {firstVisitTexts.isVerified}
                </Button>
                {!isReadOnly && (
                  <Anchor component={Link} href={`/${webhookId}?tab=settings`} size="sm">
                    {firstVisitTexts.lostSecret}
                  </Anchor>
                )}
              </Group>
            </>
          )}
        </Step>
        <TestStep
          webhook={webhook}
          sentId={parameters.get('sent')}
          isReceived={isReceived}
          onSent={(sent) => mark({ sent })}
        />
      </ol>
      <Group>
        <Button component={Link} href={`/${webhookId}`} variant={isReceived ? 'filled' : 'default'}>
          {isReceived ? firstVisitTexts.toWebhook : firstVisitTexts.later}
        </Button>
      </Group>
    </>
  );
}
