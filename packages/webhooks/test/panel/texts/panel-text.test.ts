import { describe, expect, it } from 'vitest';
import { fillText } from '../../../src/panel/texts/panel-text.ts';

const languageOf = (tag: string) => ({
  numbers: new Intl.NumberFormat(tag),
  plurals: new Intl.PluralRules(tag),
});
const english = languageOf('en');

describe('fillText', () => {
  it('puts values into placeholders, and never reads a value as a text', () => {
    expect(fillText('{who} deletes {what}', { who: '{what}', what: '$& <b>' }, english)).toBe(
      '{what} deletes $& <b>',
    );
  });

  it('chooses the plural form of the language by the count', () => {
    const webhooks = { one: '{count} webhook', other: '{count} webhooks' };
    expect([0, 1, 2].map((count) => fillText(webhooks, { count }, english))).toEqual([
      '0 webhooks',
      '1 webhook',
      '2 webhooks',
    ]);
    const polish = {
      one: '{count} plik',
      few: '{count} pliki',
      many: '{count} plików',
      other: '{count} pliku',
    };
    expect([1, 3, 5, 22].map((count) => fillText(polish, { count }, languageOf('pl')))).toEqual([
      '1 plik',
      '3 pliki',
      '5 plików',
      '22 pliki',
    ]);
  });

  it('takes the other form where a text lacks the one of its language', () => {
    const english = { one: 'a page', other: 'pages' };
    expect(fillText(english, { count: 3 }, languageOf('pl'))).toBe('pages');
  });

  it('writes numbers in the digits of the language', () => {
    const values = { count: 12_345 };
    expect(fillText('{count}', values, languageOf('de'))).toBe('12.345');
    expect(fillText('{count}', values, languageOf('ar-EG'))).toBe('١٢٬٣٤٥');
  });
});
