import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openWatched } from '../panel/guarded-page.ts';
import { servePanel } from '../panel/panel-host.ts';

describe.skipIf(chromiumSkipped)('the guard of these tests', BROWSER_TIMEOUT, () => {
  it('notices inline scripts, markup from strings, and requests to others', async () => {
    const host = await servePanel();
    for (const breach of [
      "document.body.append(Object.assign(document.createElement('style'), { textContent: 'a{}' }))",
      "document.body.insertAdjacentHTML('beforeend', '<b>x</b>')",
      "fetch('http://127.0.0.2:1/').catch(() => 0)",
      "document.body.setAttribute('style', 'color: red')",
      'trap(1)',
    ]) {
      const { page, incidents } = await openWatched(host.url);
      await page.getByText('No webhooks yet').waitFor();
      await page.evaluate(breach).catch(() => undefined);
      await expect.poll(() => incidents.length).toBeGreaterThan(0);
    }
  });
});
