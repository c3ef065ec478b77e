import { describe, expect, it } from 'vitest';
import { checkedLanguage } from '../../../src/panel/texts/checked-language.ts';

describe('checkedLanguage', () => {
  it('refuses a tag that is longer than any language needs', () => {
    expect(() => checkedLanguage(`en-x${'-abcdefgh'.repeat(20)}`)).toThrow(TypeError);
  });

  it('knows the direction of a language by its usual script', () => {
    expect(checkedLanguage('pt-br')).toEqual({ tag: 'pt-BR', direction: 'ltr' });
    expect(['ar', 'he', 'fa-IR', 'ur', 'dv'].map((tag) => checkedLanguage(tag).direction)).toEqual(
      Array(5).fill('rtl'),
    );
    expect(checkedLanguage('az-Arab').direction).toBe('rtl');
    expect(checkedLanguage('uz').direction).toBe('ltr');
  });

  it('refuses what is no tag', () => {
    const given: unknown[] = ['', 'english please', 'de_DE', 7];
    for (const tag of given) {
      expect(() => checkedLanguage(JSON.parse(JSON.stringify(tag)))).toThrow(
        new TypeError('language must be a BCP 47 tag such as de or pt-BR'),
      );
    }
  });
});
