import { expect, it } from 'vitest';
import { html } from '../../../src/demo/page/html.ts';

it('escapes every text for an element and a quoted attribute', () => {
  const hostile = `"><script>alert('&')</script>`;
  expect(html`<b title="${hostile}">${hostile}</b>`.text).toBe(
    '<b title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</b>',
  );
});

it('takes other HTML as it is, also in a list, and numbers', () => {
  const items = ['<', '>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ol start="${2}">${items}</ol>`.text).toBe('<ol start="2"><li>&lt;</li><li>&gt;</li></ol>');
});
