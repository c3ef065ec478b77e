import { OTHER_LANGUAGES } from './other-languages.ts';
import { testLanguage } from './recipient-languages.ts';

for (const language of OTHER_LANGUAGES) testLanguage(language);
