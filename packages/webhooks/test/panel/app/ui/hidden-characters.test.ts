import { describe, expect } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { visibleText } from '../../../../src/panel/app/ui/hidden-characters.ts';

describe('hidden characters', () => {
  inOneTest([
    ['turns the direction', 'pay \u202etnemyap', 'pay \\u{202e}tnemyap'],
    ['marks a direction', '1\u200e2\u061c3', '1\\u{200e}2\\u{61c}3'],
    ['is a soft hyphen', 'pay\u00adpal', 'pay\\u{ad}pal'],
    ['is a word joiner', 'pay\u2060pal', 'pay\\u{2060}pal'],
    ['is a byte order mark', '\ufeff{"a":1}', '\\u{feff}{"a":1}'],
    ['carries text unseen', 'ok\u{e0068}\u{e0069}', 'ok\\u{e0068}\\u{e0069}'],
    ['divides a Latin word', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['joins Latin letters', 'user.cre\u200dated', 'user.cre\\u{200d}ated'],
    ['divides Cyrillic letters', 'пай\u200cпал', 'пай\\u{200c}пал'],
    ['begins an Arabic text', '\u200dمرحبا', '\\u{200d}مرحبا'],
    ['ends an Arabic text', 'مرحبا\u200d', 'مرحبا\\u{200d}'],
    ['follows a variation selector', 'pay\ufe0f\u200bpal', 'pay\\u{fe0f}\\u{200b}pal'],
    ['divides a Han word', '管理\u200b員', '管理\\u{200b}員'],
    ['is a variation selector beyond the BMP', 'ok\u{e0101}', 'ok\\u{e0101}'],
    ['joins graphemes', 'pay\u034fpal', 'pay\\u{34f}pal'],
    ['is a filler of Hangul', 'Ada\u3164', 'Ada\\u{3164}'],
    ['anchors an annotation', 'a\ufff9b', 'a\\u{fff9}b'],
    ['is one of two', 'می\u200c\u200cخواهم', 'می\\u{200c}\\u{200c}خواهم'],
  ])('one that %s is shown as its escape', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  inOneTest([
    ['a Persian word', 'می\u200cخواهم'],
    ['a Persian number', '۲۰\u200cساله'],
    ['a Sinhala conjunct', 'ශ්\u200dරී'],
    ['a Malayalam word with a chillu at its end', 'അവന്\u200d വന്നു'],
    ['a Thai phrase', 'สวัสดี\u200bครับ'],
    ['a Mongolian word', 'ᠬᠠᠷ\u180eᠠ'],
    ['an emoji of several', '👩🏽\u200d💻 🏳️\u200d🌈 ❤\u200d🔥 1\ufe0f\u20e3'],
    ['a variant of a Han sign', '葛\u{e0100}'],
    ['a Mongolian variant', 'ᠠ\u180b'],
  ])('a character that %s needs stays as it is', (_, text) => {
    expect(visibleText(text)).toBe(text);
  });
});
