import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { expectInPlace } from './misplaced.ts';
import { type PanelHost, startPanelHost } from './panel-host.ts';
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
