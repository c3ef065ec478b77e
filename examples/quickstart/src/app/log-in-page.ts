import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 22rem; margin: 12vh auto; padding: 0 1rem }
  label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
  input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem }
  button { margin-top: 1.5rem }
`;

const SCRIPT = `
  const form = document.querySelector('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await fetch('/api/admin/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    }).catch(() => undefined);
    if (answer?.ok) location.replace(target());
    else form.querySelector('[role=alert]').textContent = answer === undefined
      ? 'The app does not answer.'
      : answer.status === 401 ? 'This log-in or password is not right.' : 'That did not work. Try again in a moment.';
  });
  // An address from outside: followed within this origin only, or the page would send people anywhere.
  function target() {
    const home = new URL('/admin/webhooks', location.origin);
    const wanted = new URLSearchParams(location.search).get('return_to');
    if (wanted === null || !URL.canParse(wanted, home)) return home.href;
    const url = new URL(wanted, home);
    return url.origin === home.origin ? url.href : home.href;
  }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Log in</h1>
<form method="post">
<label for="login">Log-in</label>
<input id="login" name="login" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button>
<p role="alert"></p>
</form>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

const POLICY = `default-src 'none'; script-src '${hashOf(SCRIPT)}'; style-src '${hashOf(STYLE)}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * The page where administrators log in. The panel sends them here, and `return_to` says where they
 * came from.
 */
export const logInPage: RequestHandler = (_request, response) => {
  response.set({ 'content-security-policy': POLICY, 'cache-control': 'no-store' }).type('html').send(PAGE);
};

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
