import { describe, test } from 'vitest';
import { casesOfClasses } from './class-under-test.ts';

describe('a storage and its harness that are instances of classes', () => {
  for (const { name, run } of casesOfClasses()) test(name, run);
});
