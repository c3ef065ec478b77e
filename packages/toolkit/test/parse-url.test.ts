import { expect, it } from 'vitest';
import { parseUrl } from '../src/parse-url.ts';

it('reads what is an absolute URL, and nothing else', () => {
  expect(parseUrl('https://a.example:443/b?c')?.href).toBe('https://a.example/b?c');
  for (const text of ['', 'a.example', '/b', 'https://', 'https://a b/'])
    expect(parseUrl(text)).toBeUndefined();
});

it('reads a name with an umlaut, however often the process has read URLs', () => {
  for (let i = 0; i < 20_000; i++) {
    if (parseUrl(`https://a.example/${i}`) === undefined) expect.unreachable();
  }
  expect(parseUrl('https://bücher.example/ä')?.href).toBe('https://xn--bcher-kva.example/%C3%A4');
});
