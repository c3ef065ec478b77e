import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { verify } from '../../../../src/signing/verify.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded, openWatched } from '../../guarded-page.ts';
import { DEAD, servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('the code beside a new secret', BROWSER_TIMEOUT, () => {
  it('comes with a test that waits for the recipient, which verifies with that secret', async () => {
    // It has no secret yet, and refuses everything.
    let secret = '';
    const recipient = await serveRecipient(({ headers, body }, response) => {
      const answer = (status: number) => response.writeHead(status).end();
      if (secret === '') answer(401);
      else
        void verify({ secret, headers, body }).then(
          () => answer(204),
          () => answer(401),
        );
    });
    const host = await servePanel({ delaysMs: [60_000] });
    const page = await openGuarded(`${host.url}?new=1`);
    const form = page.getByRole('dialog', { name: 'Add webhook' });
    await form.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    await form.getByRole('button', { name: 'Add webhook' }).click();

    const dialog = page.getByRole('dialog', { name: 'The webhook is registered' });
    await dialog.getByRole('tab', { name: 'C#' }).click();
    const code = dialog.getByRole('region', { name: 'Verification code, C#' });
    expect(await code.innerText()).toContain('public static bool IsGenuine(');
    await dialog.getByRole('button', { name: 'Send a test now' }).click();
    await dialog.getByText('Not accepted: The recipient answered HTTP 401').waitFor();
    secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
    await dialog.getByRole('button', { name: 'Send a test now' }).click();
    await dialog.getByText('Received: the recipient answered HTTP 204.').waitFor();
    expect(recipient.received).toHaveLength(2);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.waitForURL(`${host.url}/1`);
  });

  it('leaves the secret alone when it cannot be loaded', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const { page, incidents } = await openWatched(`${host.url}/1`);
    await page.route(/\/verification-[^/]*\.js$/, (route) => route.abort());
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'The new secret' });
    await dialog.getByText('This page has stopped working').waitFor();
    expect(await dialog.getByRole('region', { name: 'Signing secret' }).innerText()).toMatch(/^whsec_/);
    // React reports the part that is missing, and nothing else has happened.
    expect(incidents).toEqual([expect.stringContaining('/verification-')]);
  });
});
