import { describe, expect, it } from 'vitest';
import { isHtml, textOfHtml } from '../../../../src/panel/app/delivery/html-text.ts';

describe('the text of a page', () => {
  it('is what a person would read, a line for each block, and a heading like the title once', () => {
    const page = `<!DOCTYPE html>\n<html><head><title>404 Not Found</title><style>p { color: red }</style></head>
      <body><center><h1>404 Not Found</h1></center><hr><p>No   such <b>shop</b>:<br/>&lt;b&gt; &amp;amp; it&apos;s &#65;&#x42;</p></body>`;
    expect(textOfHtml(page)).toBe("404 Not Found\nNo such shop:\n<b> &amp; it's AB");
  });

  it('ends where the page was cut, in a tag, a script or a comment', () => {
    for (const end of ['<p clas', '<script>let a = "<p>no</p>', '<!-- <p>no</p>', '<style>p{}']) {
      expect(textOfHtml(`<p>Sorry</p>${end}`)).toBe('Sorry');
    }
  });

  it('leaves alone what is no markup and no character', () => {
    const text = '1 < 2 &unknown; &constructor; &#1114112; &';
    expect(textOfHtml(text)).toBe(text);
  });

  it('is looked for where the type or the beginning says that it is a page', () => {
    expect(isHtml('Sorry', 'text/html; charset=utf-8')).toBe(true);
    expect(isHtml('\n<!doctype HTML><p>')).toBe(true);
    expect(isHtml('{"html": "<html>"}', 'application/json')).toBe(false);
  });
});
