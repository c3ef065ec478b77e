import { describe, test } from 'vitest';
import { ODD_DRIVERS } from './odd-drivers.ts';

describe.each(ODD_DRIVERS)('$name', ({ cases }) => {
  for (const { name, run } of cases) test(name, run);
});
