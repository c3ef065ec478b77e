import { describe } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { framingContract } from './framing-contract.ts';
import { BROWSER_TIMEOUT } from './guarded-page.ts';

// The panel has the same pages and scripts: at night.
describe.skipIf(chromiumSkipped)('a portal in the page of its host', BROWSER_TIMEOUT, () =>
  framingContract('portal'),
);
