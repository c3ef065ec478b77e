import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookInput } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { EventPicker } from '../form/event-picker.tsx';
import { formTexts } from '../form/form-texts.ts';
import { useShowSecret } from '../form/kept-secret.tsx';
import { SaveProblem } from '../form/save-problem.tsx';
import { SettingField } from '../form/setting-field.tsx';
import { LeaveQuestion } from '../form/unsaved-input.tsx';
import { EMPTY_DRAFT, useWebhookInput } from '../form/webhook-input.ts';
import { firstVisitTexts } from './first-visit-texts.ts';
import { Introduction } from './introduction.tsx';
import { Step } from './step.tsx';

/**
 * The four steps to a first webhook that is verified, for as long as there is none.
 */
export function FirstVisit() {
  const create = useCreateWebhook();
  const [unloaded, setUnloaded] = useState<unknown>(null);
  const showSecret = useShowSecret();
  async function register(input: WebhookInput): Promise<void> {
    // What shows the secret is there before there is one.
    const { SecretDialog } = await import('../form/secret-dialog.tsx').catch((error) => {
      setUnloaded(error);
      throw error;
    });
    await showSecret(async () => {
      const webhook = await create.mutateAsync(input);
      const { id, url, secret } = webhook;
      return { title: formTexts.registered, url, secret, webhook, next: `/?setup=${id}` };
    }, SecretDialog);
  }
  const { draft, setDraft, problems, form, submit, question } = useWebhookInput({
    name: 'first',
    initial: EMPTY_DRAFT,
    error: create.error,
    onSubmit: register,
  });
  const onChange = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed });
  const fields = { draft, problems, onChange };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <Introduction />
        <ol className="steps">
          <Step number={1} title={firstVisitTexts.address}>
            <SettingField name="name" isFirst {...fields} />
            <SettingField name="url" {...fields} />
          </Step>
          <Step number={2} title={firstVisitTexts.events}>
            <EventPicker {...fields} />
            <SaveProblem error={create.error ?? unloaded} lostAnswerAdvice={formTexts.maybeAddedAdvice} />
            {question && <LeaveQuestion {...question} />}
            <Button type="submit" loading={create.isPending}>
              {firstVisitTexts.create}
            </Button>
          </Step>
          <Step number={3} title={firstVisitTexts.secret} isLater>
            <Text size="sm">{firstVisitTexts.secretLater}</Text>
          </Step>
          <Step number={4} title={firstVisitTexts.test} isLater>
            <Text size="sm">{firstVisitTexts.testLater}</Text>
          </Step>
        </ol>
      </Stack>
    </form>
  );
}
