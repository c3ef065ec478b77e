import type { RequestHandler } from 'express';
import { formPage } from './form-page.ts';

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
  // An address from outside: followed within this origin only, or the page would send people
  // anywhere.
  function target() {
    const home = new URL('/admin/webhooks', location.origin);
    const wanted = new URLSearchParams(location.search).get('return_to');
    if (wanted === null || !URL.canParse(wanted, home)) return home.href;
    const url = new URL(wanted, home);
    return url.origin === home.origin ? url.href : home.href;
  }
`;

const CONTENT = `<form method="post">
<label for="login">Log-in</label>
<input id="login" name="login" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button>
<p role="alert"></p>
</form>
<p><a href="/admin/forgot-password">Forgot password?</a></p>`;

/**
 * The page where administrators log in. The panel sends them here, and `return_to` says where they
 * came from.
 */
export const logInPage: RequestHandler = formPage({ title: 'Log in', content: CONTENT, script: SCRIPT });
