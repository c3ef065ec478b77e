import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BUILT_IN_EVENTS } from '../../src/events/catalog.ts';
import { DICTIONARY, type PanelTexts } from '../../src/panel/texts/dictionary.ts';
import type { PanelText } from '../../src/panel/texts/panel-text.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { LOGIN_ENDPOINT, servePanel } from './panel-host.ts';

/** The dictionary in a language of its own: every text stands in marks. */
function markedTexts(): PanelTexts {
  const marked = (text: PanelText): PanelText =>
    typeof text === 'string'
      ? `⟦${text}⟧`
      : { other: '', ...Object.fromEntries(Object.entries(text).map(([form, one]) => [form, `⟦${one}⟧`])) };
  const rooms = Object.entries(DICTIONARY).map(([room, texts]) => [
    room,
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, marked(text)])),
  ]);
  return Object.fromEntries(rooms);
}

/**
 * Everything that is read on the page, one text per line: what is shown, what is said of it, and
 * the hints of fields. Code and times are data, and so is what a user types.
 */
const READ = `(() => {
  const found = [];
  const isHidden = (element) => element.closest('script, style, pre, code, .code-block, noscript') !== null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let line = '', block = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (isHidden(parent)) continue;
    const own = parent.closest('p, li, td, th, button, label, legend, h1, h2, h3, dt, dd, option, summary, div, a');
    if (own !== block) { found.push(line); line = ''; block = own; }
    line += parent.closest('time') === null ? node.data : '';
  }
  found.push(line);
  for (const element of document.querySelectorAll('*')) {
    if (isHidden(element)) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-label', 'aria-description']) {
      if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    }
  }
  return [document.title, ...found].map((text) => text.trim()).filter((text) => text !== '');
})()`;

/** What no dictionary has: addresses, names of events, ids, numbers, and words of the host. */
const DATA = [
  /^https?:[/]{2}\S+$/,
  /^(\/|127\.0\.0\.1|:\d+|\S*hook\S*)+$/,
  /^[a-z_]+\.(\*|[a-z_]+)$/,
  /^\*$/,
  /^[0-9a-f]{32}$/,
  /^whsec_\S+$/,
  /^[\d.,:%+\s–-]+(k|M|ms|s)?$/,
  /^\d{1,2}[\s:/]?\d{0,2}\s?(AM|PM)?$/,
  /^(Order placed|Billing|X-Webhook|Python|PHP|Go|Ruby|Java|Node\.js|Standard Webhooks|@acme)/,
  // The fields of a callback, in the words of its schema.
  /^(type|timestamp|data|When the delivery was created\.)$/,
];

/** What events are called is data, too. */
const LABELS = [...BUILT_IN_EVENTS.map(({ label }) => label), 'Order placed'].sort(
  (one, other) => other.length - one.length,
);

/** The texts outside of all marks, data aside. */
async function unmarked(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(READ);
  return [...new Set(texts)].filter((text) => {
    let rest = text;
    // The inner ones first: a text may stand in another.
    for (let shorter = ''; shorter !== rest; ) {
      shorter = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
    }
    for (const label of LABELS) rest = rest.replace(label, ' ');
    rest = rest.replace(/[a-z_]+\.[a-z_]+ –?/g, ' ').trim();
    return rest !== '' && /\p{L}{2}/u.test(rest) && !DATA.some((data) => data.test(rest));
  });
}

const EVENTS = {
  'order.created': { label: 'Order placed', payload: z.object({ id: z.int() }), example: { id: 42 } },
};

async function start(options = {}) {
  const host = await servePanel({ texts: { en: markedTexts() }, events: EVENTS, ...options });
  return host;
}

/** The text of the dictionary in its marks, as a label. */
const T = (text: string) => `⟦${text}⟧`;

describe.skipIf(chromiumSkipped)('a dictionary that replaces every text', BROWSER_TIMEOUT, () => {
  it('leaves no text of the list, its dialogs and its messages', async () => {
    const host = await start();
    const page = await openGuarded(host.url);
    await page.getByText(T(DICTIONARY.list.empty)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    for (const [url, isActive] of [
      ['http://127.0.0.1:9/hook', true],
      ['http://127.0.0.1:9/hook2', false],
    ] as const) {
      await host.webhooks.create({
        url,
        isActive,
        events: ['order.*', 'user.created'],
        description: 'Billing',
      });
    }
    await host.webhooks.dispatch('order.created', { id: 42 });
    await host.webhooks.drain();
    await page.goto(host.url);
    await page
      .getByRole('button', { name: /More actions/ })
      .first()
      .click();
    await page.getByRole('button', { name: /⟦2/ }).first().hover();
    expect(await unmarked(page)).toEqual([]);
    await page.getByRole('button', { name: /^⟦Delete/ }).click();
    await page.getByText(T(DICTIONARY.list.deleteQuestion)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: T(DICTIONARY.selection.pause) }).click();
    await page.getByRole('dialog').getByRole('button', { name: /⟦/ }).last().waitFor();
    expect(await unmarked(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto(`${host.url}?search=nothing`);
    await page.getByText(T(DICTIONARY.list.noMatch)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    await page.goto(`${host.url}?explain=order.created`);
    await page.getByText(T(DICTIONARY.explain.getsIt)).first().waitFor();
    expect(await unmarked(page)).toEqual([]);
    host.failNext('GET /api/admin/webhooks', 500, 'internal_error');
    await page.goto(host.url);
    await page.getByText(T(DICTIONARY.problem.internal_error)).waitFor();
    expect(await unmarked(page)).toEqual([]);
  });

  it('leaves no text of the forms, what they refuse, and the secret', async () => {
    const host = await start();
    const page = await openGuarded(`${host.url}?new=1`);
    const form = page.getByRole('dialog');
    const add = form.getByRole('button', { name: T(DICTIONARY.form.add) });
    const url = form.getByRole('textbox', { name: T(DICTIONARY.form.url) });
    await form.getByRole('radio').last().check();
    await add.click();
    await form.getByText(T(DICTIONARY.form.noUrl)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    await form.getByRole('radio').first().check();
    for (const refused of [
      'http://localhost/',
      'http://10.0.0.1/',
      'http://a:b@example.com/',
      'http://example.com:25/',
    ]) {
      await url.fill(refused);
      await add.click();
      await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
      expect(await unmarked(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await form.getByText(T(DICTIONARY.form.leaveQuestion)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    await form.getByRole('button', { name: T(DICTIONARY.form.stay) }).click();
    await url.fill('http://127.0.0.1:9/hook');
    await add.click();
    await page.getByText(/whsec_/).waitFor();
    expect(await unmarked(page)).toEqual([]);
  });

  it('leaves no text of a webhook, its dialogs and its deliveries', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', createdByUid: '7' });
    await host.webhooks.dispatch('order.created', { id: 42 });
    await host.webhooks.drain();
    await host.webhooks.rotateSecret(id);
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('link', { name: 'order.created' }).click();
    await page.getByText(T(DICTIONARY.delivery.answers)).first().waitFor();
    expect(await unmarked(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const opener of [
      DICTIONARY.catalog.test,
      DICTIONARY.webhook.edit,
      DICTIONARY.webhook.rotate,
      DICTIONARY.webhook.delete,
      DICTIONARY.webhookDialog.recover,
    ]) {
      await page.getByRole('button', { name: T(opener), exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: /⟦/ }).last().waitFor();
      expect(await unmarked(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: T(DICTIONARY.webhook.sendTest) }).click();
    await page.getByText(T(DICTIONARY.webhook.testSent)).waitFor({ state: 'attached' });
    expect(await unmarked(page)).toEqual([]);
    await page.goto(`${host.url}/99`);
    await page.getByText(T(DICTIONARY.webhook.goneTitle)).waitFor();
    expect(await unmarked(page)).toEqual([]);
  });

  it('leaves no text of the other pages', async () => {
    const host = await start({
      loginEndpoint: LOGIN_ENDPOINT,
      backUrl: '/',
      logoutUrl: '/out',
      readOnly: true,
    });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    await host.webhooks.dispatch('order.created', { id: 42 });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries?range=day`);
    await page.getByRole('row').filter({ hasText: 'order.created' }).waitFor();
    await page.getByText(T(DICTIONARY.ui.logOut)).waitFor();
    const facets = page.locator('button.facet');
    for (let at = 0; at < (await facets.count()); at += 1) {
      await facets.nth(at).click();
      await page.getByRole('dialog').locator('input').first().waitFor();
      expect(await unmarked(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByLabel(T(DICTIONARY.deliveries.id)).fill('x');
    await page.keyboard.press('Enter');
    expect(await unmarked(page)).toEqual([]);
    await page.goto(`${host.url}/events`);
    await page.getByText('order.created').click();
    await page.getByText(T(DICTIONARY.catalog.subscribers)).waitFor();
    expect(await unmarked(page)).toEqual([]);
    await page.goto(`${host.url}/login`);
    host.session = 'expired';
    await page.getByLabel(T(DICTIONARY.logIn.login)).fill('ada');
    await page.getByLabel(T(DICTIONARY.logIn.password), { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText(T(DICTIONARY.logIn.wrong)).waitFor();
    expect(await unmarked(page)).toEqual([]);
  });
});
