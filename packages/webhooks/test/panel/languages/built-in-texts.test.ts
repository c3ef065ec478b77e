import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { checkedTexts } from '../../../src/panel/texts/checked-texts.ts';
import { DICTIONARY, type PanelTexts } from '../../../src/panel/texts/dictionary.ts';
import type { PanelText } from '../../../src/panel/texts/panel-text.ts';
import { PORTAL_TEXTS } from '../../../src/panel/texts/portal-texts.ts';

type Rooms = Readonly<Record<string, Readonly<Record<string, PanelText>>>>;

const folder = new URL('../../../src/panel/languages/', import.meta.url);
const LANGUAGES = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

function textsOf(name: string): PanelTexts {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}

/** The texts by `room.key`. */
function entriesOf(rooms: PanelTexts): Map<string, PanelText> {
  const flat = Object.entries<Rooms[string]>({ ...(rooms satisfies Rooms) });
  return new Map(
    flat.flatMap(([room, texts]) => Object.entries(texts).map(([key, text]) => [`${room}.${key}`, text])),
  );
}

function formsOf(text: PanelText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

/** Words that are the same in another language, in texts that have no others. */
const SHARED =
  /^(webhooks?|urls?|http|https|json|id|status|name|limit|filter|test|esc|pages?|actions|description|error|format|optional|secret|type|ms|s|×)$/i;

function isShared(text: PanelText): boolean {
  const words = formsOf(text).flatMap((form) => form.replace(/\{\w+\}/g, ' ').match(/[\p{L}×]+/gu) ?? []);
  return words.every((word) => SHARED.test(word));
}

/** Words for others than customers. */
const OF_OTHERS: Readonly<Record<string, RegExp>> = {
  de: /Administrator|Betreiber|Empfänger|dieser Dienst|admin:/i,
  es: /administrador|operador|destinatario|este servicio|admin:/i,
  fr: /administrateur|exploitant|destinataire|ce service|admin:/i,
};

/** What a customer's API never says. */
const UNSEEN = ['webhook.registeredBy', 'trouble.slow', 'logIn.unexpected'];

inOneTest(LANGUAGES)(
  'customers read nothing in %s of administrators, operators or their own server as somebody else’s',
  (language) => {
    const spoken = new Map([...entriesOf(textsOf(language)), ...entriesOf(textsOf(`portal/${language}`))]);
    const wrong = [...spoken].filter(
      ([name, text]) => !UNSEEN.includes(name) && OF_OTHERS[language]?.test(formsOf(text).join(' ')),
    );
    expect(wrong).toEqual([]);
  },
);

const FILES = LANGUAGES.flatMap((language) => [
  { file: language, language, english: DICTIONARY as PanelTexts },
  { file: `portal/${language}`, language, english: PORTAL_TEXTS as PanelTexts },
]);

describe.each(FILES)('the texts of $file', ({ file, language, english }) => {
  const texts = textsOf(file);
  const entries = entriesOf(texts);
  const original = entriesOf(english);

  it('are all that English has, and no other', () => {
    const missing = [...original.keys()].filter((name) => !entries.has(name));
    const unknown = [...entries.keys()].filter((name) => !original.has(name));
    // Put each into src/panel/languages, in this language.
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it('have the placeholders of the English ones', () => {
    expect(checkedTexts(texts, language, file === language ? [] : ['product'])).toEqual(texts);
  });

  it('have a form for one and for several where English has', () => {
    const formNames = (text: PanelText | undefined) =>
      typeof text === 'object' ? Object.keys(text) : 'none';
    const different = [...original].filter(
      ([name, text]) => String(formNames(entries.get(name))) !== String(formNames(text)),
    );
    expect(different.map(([name]) => name)).toEqual([]);
  });

  it('are in their language', () => {
    const untranslated = [...entries].filter(
      ([name, text]) => JSON.stringify(text) === JSON.stringify(original.get(name)) && !isShared(text),
    );
    expect(untranslated).toEqual([]);
    const mixed = [...entries].filter(([, text]) =>
      /\b(the|this|with|your)\b/i.test(formsOf(text).join(' ')),
    );
    expect(mixed).toEqual([]);
  });
});
