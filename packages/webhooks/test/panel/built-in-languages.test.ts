import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { type PanelHost, startPanelHost } from './panel-host.ts';
import { seededStorage } from './seeded-storage.ts';

let seeded: PanelHost;

/** The language that a browser asks for, as a session would have it. */
const language = ({ headers }: Request) => headers.get('accept-language')?.split(',')[0];

describe.skipIf(chromiumSkipped)('a panel in a built-in language', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    seeded = await startPanelHost({ storage: await seededStorage(), language });
  });
  afterAll(async () => {
    await seeded?.close();
  });

  it('has the language of each visitor, in pages that are never stored', async () => {
    const german = await fetch(seeded.url, { headers: { 'accept-language': 'de' } });
    const french = await fetch(seeded.url, { headers: { 'accept-language': 'fr-CA' } });
    for (const answer of [german, french]) expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await german.text()).toContain('<html lang="de"');
    expect(await french.text()).toContain('<html lang="fr-CA"');
    const page = await openGuarded(seeded.url, { locale: 'is' });
    await page.getByText('Showing 1 to 20 of 60').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
});
