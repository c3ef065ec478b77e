import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkedTexts } from '../../../src/panel/texts/checked-texts.ts';
import { DICTIONARY } from '../../../src/panel/texts/dictionary.ts';
import { PORTAL_TEXTS } from '../../../src/panel/texts/portal-texts.ts';

it('customers read texts of the dictionary, with its placeholders and the name of the application', () => {
  expect(checkedTexts(PORTAL_TEXTS, 'en', ['product'])).toEqual(PORTAL_TEXTS);
});

it.each(['en', 'de', 'es', 'fr'])('customers read sentences that no name begins, in %s', (language) => {
  const file = new URL(`../../../src/panel/languages/portal/${language}.json`, import.meta.url);
  const texts = language === 'en' ? PORTAL_TEXTS : JSON.parse(readFileSync(file, 'utf8'));
  const begun = JSON.stringify(texts).match(/"[^":]+":"(?:[^"]*[.!?] )?\{product\}/g);
  expect(begun).toBeNull();
});

it('customers read nothing of administrators, operators or their own server as somebody else’s', () => {
  const own: Readonly<Record<string, object>> = PORTAL_TEXTS;
  // What a customer's API never says: who created a webhook, and how many slots it has.
  const unseen = ['webhook.registeredBy', 'trouble.slow', 'logIn.unexpected'];
  const spoken = Object.entries(DICTIONARY).flatMap(([room, english]) =>
    Object.entries({ ...english, ...own[room] }).map(([key, text]) => [
      `${room}.${key}`,
      JSON.stringify(text),
    ]),
  );
  const wrong = spoken.filter(
    ([name = '', text = '']) =>
      !unseen.includes(name) && /administrator|operator|recipient|this service|admin:/i.test(text),
  );
  expect(wrong).toEqual([]);
});
