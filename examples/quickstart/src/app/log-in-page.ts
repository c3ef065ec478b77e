import { readReturnTo } from '@acme/auth/client';
import type { RequestHandler } from 'express';
import { escapeHtml } from '../escape-html.ts';
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
    if (answer?.ok) location.replace(form.dataset.returnTo);
    else form.querySelector('[role=alert]').textContent = answer === undefined
      ? 'The app does not answer.'
      : answer.status === 401 ? 'This log-in or password is not right.' : 'That did not work. Try again in a moment.';
  });
`;

const content = (returnTo: string) => `<form method="post" data-return-to="${escapeHtml(returnTo)}">
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
 * came from. Anybody may have written that address: only a path of this origin is followed.
 */
export const logInPage: RequestHandler = (request, response, next) => {
  const { search } = new URL(request.originalUrl, 'http://127.0.0.1');
  const returnTo = readReturnTo('/admin/webhooks', search);
  const page = formPage({ title: 'Log in', content: content(returnTo), script: SCRIPT });
  return page(request, response, next);
};
