import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OTHER_LANGUAGES } from './other-languages.ts';
import { CODE, NODE_LANGUAGES, testLanguage } from './recipient-languages.ts';

for (const language of NODE_LANGUAGES) testLanguage(language);

it('the code for recipients is tested in each language that it is shown in', () => {
  const tested = [...NODE_LANGUAGES, ...OTHER_LANGUAGES].map(({ file }) => file);
  expect(readdirSync(CODE).sort()).toEqual(tested.sort());
});
