import { Alert, Button, Container, Paper, Stack, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Brand } from '../page/brand.tsx';
import { usePageTitle } from '../page/page-title.ts';
import type { PanelConfig } from '../panel-config.ts';
import { type LogInMessage, logInMessage } from './log-in-message.ts';
import { requestLogIn } from './log-in-request.ts';
import { logInTexts } from './log-in-texts.ts';
import { returnToOf } from './return-to.ts';

/**
 * Asks for a login and a password, and goes back to where the visitor came from.
 *
 * It is a page of the panel and not of `@acme/auth`, so that it fits any back end. It sends JSON:
 * for a form without script, the endpoint would have to read forms and redirect, and the policy of
 * the pages would have to allow `form-action`.
 */
export function LogInPage({ endpoint, config }: { readonly endpoint: string; readonly config: PanelConfig }) {
  usePageTitle(logInTexts.pageTitle);
  const login = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState<LogInMessage | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => login.current?.focus(), []);

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy || login.current === null || password.current === null) return;
    setIsBusy(true);
    // Removed first: the same message again is news to screen readers.
    setMessage(null);
    const result = await requestLogIn(endpoint, login.current.value, password.current.value);
    // It stays busy until the browser has left.
    if (result.kind === 'accepted') return location.replace(returnToOf(location.search, config.basePath));
    setIsBusy(false);
    setMessage(logInMessage(result));
    if (result.kind === 'wrong') password.current?.select();
  }

  return (
    <Container component="main" size={440} px="md" pt="clamp(1rem, 14vh, 140px)" pb="md">
      <Paper withBorder p="xl" radius="md">
        <Brand config={config} />
        <Title order={1} size="h3" mb="md">
          {logInTexts.heading}
        </Title>
        <form onSubmit={(event) => void send(event)}>
          <Stack gap="md">
            <TextInput
              ref={login}
              label={logInTexts.login}
              name="login"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              withAsterisk={false}
            />
            <TextInput
              ref={password}
              label={logInTexts.password}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <div aria-live="assertive">
              {message && (
                <Alert
                  color="red"
                  icon={<IconAlertTriangle />}
                  title={message.title}
                  // The live region around it announces it; a role would announce it twice.
                  role="presentation"
                >
                  {message.text}
                </Alert>
              )}
            </div>
            <Button type="submit" fullWidth loading={isBusy}>
              {logInTexts.submit}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Container>
  );
}
