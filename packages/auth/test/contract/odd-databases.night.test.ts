import { describe, test } from 'vitest';
import { ODD_DATABASES } from './odd-databases.ts';

describe.each(ODD_DATABASES)('the stores on $name', ({ skipped, cases }) => {
  for (const { name, run } of cases) test.skipIf(skipped)(name, run, 240_000);
});
