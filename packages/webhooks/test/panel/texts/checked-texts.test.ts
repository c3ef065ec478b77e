import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { checkedTexts } from '../../../src/panel/texts/checked-texts.ts';

/** Texts as they come from a file: of no type. */
const check =
  (texts: unknown, language = 'de') =>
  () =>
    checkedTexts(JSON.parse(JSON.stringify(texts)), language);

describe('checkedTexts', () => {
  it('copies texts of the dictionary', () => {
    const texts = { document: { title: 'Zustellungen' }, refusal: { unknownCode: 'Abgelehnt ({code}).' } };
    const copy = checkedTexts(texts, 'de');
    texts.document.title = 'changed later';
    expect(copy).toEqual({
      document: { title: 'Zustellungen' },
      refusal: { unknownCode: 'Abgelehnt ({code}).' },
    });
  });

  it('refuses a room and a key that the dictionary does not have', () => {
    expect(check({ documents: {} })).toThrow(
      new TypeError('texts.de.documents is no section of the dictionary'),
    );
    expect(check({ constructor: {} })).toThrow('texts.de.constructor is no section');
    expect(check({ document: { titel: 'x' } })).toThrow(
      'texts.de.document.titel is no text of the dictionary',
    );
    expect(check({ document: { toString: 'x' } })).toThrow('texts.de.document.toString is no text');
  });

  it('refuses what is no text', () => {
    expect(check([])).toThrow('texts.de must be an object of texts');
    expect(check({ document: 'x' })).toThrow('texts.de.document must be an object of texts');
    expect(check({ document: { title: 7 } })).toThrow('texts.de.document.title must be a string');
    expect(check({ document: { title: { other: 'x' } } })).toThrow(
      'texts.de.document.title must be a string',
    );
  });

  it('refuses a placeholder that is missing, and one that nothing fills', () => {
    expect(check({ refusal: { unknownCode: 'No.' } })).toThrow(
      'texts.de.refusal.unknownCode must contain {code}',
    );
    expect(check({ document: { title: 'Hi {name}' } })).toThrow(
      'texts.de.document.title contains {name}, which nothing fills',
    );
  });

  it('takes one form for each plural category, and needs the one for the rest', () => {
    const patterns = (text: unknown) => check({ list: { patterns: text } });
    expect(patterns({ one: 'ein Muster', few: '{count} M', other: '{count} Muster' })).not.toThrow();
    expect(patterns('{count} パターン')).not.toThrow();
    expect(patterns({ one: '{count} Muster' })).toThrow('texts.de.list.patterns.other is missing');
    expect(patterns({ other: 'Muster' })).toThrow('texts.de.list.patterns.other must contain {count}');
    expect(patterns({ many: 7, other: '{count}' })).toThrow('texts.de.list.patterns.many must be a string');
    expect(patterns({ several: '', other: '{count}' })).toThrow(
      'texts.de.list.patterns.several is no plural',
    );
  });

  it('needs the number in a form that is for several numbers', () => {
    const texts = { list: { patterns: { one: 'один шаблон', other: '{count} шаблона' } } };
    expect(check(texts, 'ru')).toThrow('texts.ru.list.patterns.one must contain {count}');
    expect(check(texts, 'en')).not.toThrow();
  });

  inOneTest([
    ['fr', 'many'], // for 1,000,000 and 2,000,000
    ['de', 'few'], // for no number
    ['br', 'many'],
  ])('needs the number in a form of %s that no small number takes: %s', (language, category) => {
    const texts = { list: { patterns: { [category]: 'des millions', other: '{count}' } } };
    expect(check(texts, language)).toThrow(
      `texts.${language}.list.patterns.${category} must contain {count}`,
    );
  });

  inOneTest(['', ' \n', 'a\u0000b', 'a\u009bb', '\ud800'])('refuses %j, which nobody can read', (title) => {
    expect(check({ document: { title } })).toThrow(/^texts\.de\.document\.title must not/);
  });

  it('refuses more than 100,000 characters', () => {
    expect(check({ document: { title: 'x'.repeat(100_000) } })).toThrow(
      /^texts\.de must have at most 100000/,
    );
  });
});
