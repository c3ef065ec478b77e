import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 22rem; margin: 12vh auto; padding: 0 1rem }
  label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
  input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem }
  button { margin-top: 1.5rem }
`;

/** A page with one form, and the script that sends it. */
export interface FormPage {
  readonly title: string;
  /** HTML inside `main`, below the title. */
  readonly content: string;
  readonly script: string;
}

/**
 * Serves a page that runs its own script and no other, is kept in no cache, and tells no other page
 * its address.
 */
export function formPage({ title, content, script }: FormPage): RequestHandler {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
<script>${script}</script>
</body>
</html>
`;
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(STYLE)}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;
  const headers = {
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return (_request, response) => {
    response.set(headers).type('html').send(html);
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
