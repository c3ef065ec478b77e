import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, isBrowserMissing, openPage, type ShownDemo, useDemo } from './browser.ts';
import { endDemo, running, startDemo } from './demo-process.ts';

const TOUR_TIMEOUT_MS = 120_000;
/** The fourth attempt fails within a second. */
const RETRY_DELAYS_MS = '100,150,200';

let demo: ShownDemo;

describe.skipIf(isBrowserMissing)('the page of the demo, in a browser', () => {
  useDemo(
    (running) => {
      demo = running;
    },
    { RETRY_DELAYS_MS },
  );

  it('takes a newcomer from the first order over a failure to the panel', {
    timeout: TOUR_TIMEOUT_MS,
  }, async () => {
    const { page, faults } = await openPage(demo.browser, `${demo.app}/try`);
    const newest = page.locator('.request').first();
    await newest.getByText('Answered 200').waitFor();
    await newest.getByText('Signature verified').waitFor();

    await placeOrder(page, 'Lamp');
    await page.getByText('Nobody is logged in. Log in as customer first').waitFor();
    await page.getByRole('button', { name: 'Log in as customer' }).click();
    await page.getByText('Logged in: user 1', { exact: true }).waitFor();

    const hostile = '<img src=x onerror=alert(1)>';
    await placeOrder(page, hostile);
    await page.getByText(/Order \d+ is placed/).waitFor();
    await expect.poll(() => page.locator('.request').count()).toBe(2);
    await newest.getByText('Signature verified').click();
    expect(await newest.locator('.steps li').count()).toBe(6);
    expect(await newest.locator('.steps li[data-outcome=held]').count()).toBe(6);
    await newest.getByText(/^Body, /).click();
    expect(await newest.locator('pre').innerText()).toContain(hostile);
    expect(await page.locator('.request img').count()).toBe(0);

    await page.getByText('It answers 503').click();
    await placeOrder(page, 'Desk');
    await newest.getByText('Given up after 4 attempts').waitFor();
    await newest.getByText('Attempt 4').waitFor();
    await newest.getByText('Answered 503', { exact: true }).waitFor();
    expect(await newest.locator('.tries li').count()).toBe(4);

    await page.getByText('It verifies each request').click();
    await newest.getByRole('button', { name: 'Send again' }).click();
    await newest.getByText('Log in as administrator first').waitFor();
    await page.getByRole('button', { name: 'Log in as administrator' }).click();
    await page.getByText('scopes admin, admin:webhooks').waitFor();
    await newest.getByRole('button', { name: 'Send again' }).click();
    await newest.getByText('Delivered, after 5 attempts').waitFor();

    await newest.getByRole('link', { name: 'See this delivery in the panel' }).click();
    await page.getByText('Attempt 4: HTTP 503').waitFor();
    await page.getByText('Attempt 5: HTTP 200').waitFor();
    expect(faults).toEqual([]);
  });

  it('says that a log-in is wrong and that a session has ended', { timeout: TOUR_TIMEOUT_MS }, async () => {
    const { page, faults } = await openPage(demo.browser, `${demo.app}/try`);
    const customer = page.getByRole('form', { name: 'Customer' });
    await customer.getByText('What this sends').click();
    const password = await customer.getByLabel('Password').inputValue();
    await customer.getByLabel('Password').fill('a wrong password');
    await customer.getByRole('button', { name: 'Log in as customer' }).click();
    await customer.getByText('This log-in is wrong.').waitFor();
    await customer.getByLabel('Password').fill(password);
    await customer.getByRole('button', { name: 'Log in as customer' }).click();
    await customer.getByRole('button', { name: 'End it elsewhere' }).click();
    await customer.getByText('The session has ended on the server').waitFor();
    await placeOrder(page, 'Lamp');
    await page.getByText('Your session has ended. Log in as customer first').waitFor();
    await customer.getByRole('button', { name: 'Log in as customer' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a forged request as refused, and the step that refused it', {
    timeout: TOUR_TIMEOUT_MS,
  }, async () => {
    const { page } = await openPage(demo.browser, `${demo.app}/try`);
    const [genuine] = await received();
    const body = genuine?.body.replace('order.created', 'order.altered') ?? '';
    await fetch(`${demo.recipient}/hooks/shop`, { method: 'POST', headers: genuine?.headers ?? {}, body });
    const refused = page.locator('.request', { hasText: 'signature_mismatch' });
    await refused.getByText('Answered 401').waitFor();
    await refused.getByText('Signature refused').click();
    const outcomes = await refused
      .locator('.steps li')
      .evaluateAll((steps) => steps.map((step) => step.getAttribute('data-outcome')));
    expect(outcomes).toEqual(['held', 'held', 'held', 'failed', 'not tried', 'not tried']);
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation and no sideways scrolling in %s',
    { timeout: TOUR_TIMEOUT_MS },
    async (colorScheme) => {
      const { page } = await openPage(demo.browser, `${demo.app}/try`);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator('summary').first().click();
      for (const part of ['Signature', ' headers', 'Body']) {
        await page.locator('.request').first().locator('summary', { hasText: part }).click();
      }
      await expectAccessible(page);
    },
  );

  it('says that the demo has ended, and goes on with the next one', {
    timeout: TOUR_TIMEOUT_MS,
  }, async () => {
    const { page, faults } = await openPage(demo.browser, `${demo.app}/try`);
    await page.getByText('Live', { exact: true }).waitFor();
    await endDemo(demo.process);
    await page.getByText('The app does not answer.').waitFor();
    await page.getByText('Not connected').waitFor();
    const port = new URL(demo.app).port;
    demo.process = startDemo(['--verbose'], { PORT: port, RETRY_DELAYS_MS });
    await running(demo.process);
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.request').count()).toBe(1);
    expect(faults).toEqual([]);
  });
});

async function placeOrder(page: Page, item: string): Promise<void> {
  await page.getByLabel('Item').fill(item);
  await page.getByRole('button', { name: 'Place order' }).click();
}

interface ArrivalJson {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function received(): Promise<readonly ArrivalJson[]> {
  const response = await fetch(`${demo.recipient}/received.json`);
  const json = (await response.json()) as { readonly received: readonly ArrivalJson[] };
  return json.received;
}
