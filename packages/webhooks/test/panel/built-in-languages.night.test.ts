import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectAccessible, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { expectInPlace } from './misplaced.ts';
import { type PanelHost, servePanel, startPanelHost } from './panel-host.ts';
import { seededStorage } from './seeded-storage.ts';

let seeded: PanelHost;

/** The language that a browser asks for, as a session would have it. */
const language = ({ headers }: Request) => headers.get('accept-language')?.split(',')[0];
const PHONE = { viewport: { width: 390, height: 844 } };

/** What tells that a page is there, by language. */
const SIGNS = {
  de: { list: '1 bis 20 von 60', failing: 'Letzter Fehler', add: 'Webhook hinzufügen', dialog: 'Abbrechen' },
  es: { list: '1 a 20 de 60', failing: 'Último fallo', add: 'Añadir webhook', dialog: 'Cancelar' },
  fr: { list: '1 à 20 sur 60', failing: 'Dernier échec', add: 'Ajouter un webhook', dialog: 'Annuler' },
};

describe.skipIf(chromiumSkipped)('a panel in a built-in language', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    seeded = await startPanelHost({ storage: await seededStorage(), language });
  });
  afterAll(async () => {
    await seeded?.close();
  });

  it('reads German from its title to a delivery', async () => {
    const host = await servePanel({ language });
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', events: ['user.*'] });
    await host.deliver('user.created', { id: 42 });
    const page = await openGuarded(host.url, { locale: 'de-AT' });
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de-AT');
    await page.getByRole('button', { name: '1 Muster' }).waitFor();
    await page.getByRole('columnheader', { name: 'Letzte Zustellung' }).waitFor();
    const cut =
      "[...document.querySelectorAll('tbody .mantine-Button-label')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)";
    expect(await page.evaluate(cut)).toEqual([]);
    await expectAccessible(page);

    await page.goto(`${host.url}/${id}`);
    await expect.poll(() => page.title()).toMatch(/· Webhooks$/);
    await page.getByRole('link', { name: 'user.created' }).click();
    await page.getByText('Der Empfänger hat die Verbindung abgelehnt').first().waitFor();
    await page.getByText('Nach 2 Versuchen aufgegeben.').waitFor();
    expect(await page.getByText('Erstellt: ').locator('time').textContent()).toMatch(
      /^\p{L}+, \d+\. \p{L}+ \d{4}/u,
    );
  });

  it.each(['de', 'es', 'fr'] as const)('has room for %s on a phone', async (tag) => {
    const signs = SIGNS[tag];
    const page = await openGuarded(seeded.url, { ...PHONE, locale: tag });
    const expectTidy = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectInPlace(page, name);
    };
    await page.getByText(signs.list).first().waitFor({ state: 'attached' });
    await expectTidy('list');
    await page.getByRole('button', { name: signs.add }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: signs.dialog }).waitFor();
    await expectNoSidewaysScroll(page);
    for (const path of ['/deliveries', '/events', '/2', '/4', '/60?tab=settings']) {
      await page.goto(seeded.url + path);
      await page.locator('main h1').waitFor();
      if (path === '/2') await page.getByText(signs.failing).first().waitFor();
      await expectTidy(path.replace(/\W/g, '-'));
    }
    await page.goto(`${seeded.url}/2`);
    await page.locator('.data-table .row-link').first().click();
    await page
      .getByText(/HTTP|TLS|URL/)
      .first()
      .waitFor();
    await page.getByRole('dialog').waitFor();
    await expectNoSidewaysScroll(page);
  });
});
