import type { RequestHandler } from 'express';
import { formPage } from './form-page.ts';

const REQUEST_SCRIPT = `
  const form = document.querySelector('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await fetch('/api/admin/password-reset/request', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    }).catch(() => undefined);
    // One text for every account: it tells nobody who has one.
    form.querySelector('[role=alert]').textContent = answer === undefined
      ? 'The app does not answer.'
      : answer.ok ? 'If there is such an account, a mail with a link is on its way.' : 'That did not work. Try again later.';
  });
`;

const REQUEST_CONTENT = `<form method="post">
<label for="login">Log-in</label>
<input id="login" name="login" autocomplete="username" required autofocus>
<button>Send me a link</button>
<p role="alert"></p>
</form>
<p><a href="/admin/webhooks/login">Log in</a></p>`;

const RESET_SCRIPT = `
  // The fragment of a link reaches no server. Nor does it stay in the address, for others to read.
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const form = document.querySelector('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await fetch('/api/admin/password-reset', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, password: form.password.value }),
    }).catch(() => undefined);
    if (answer?.ok) return location.replace('/admin/webhooks/login');
    const { code } = await answer?.json().catch(() => ({})) ?? {};
    form.querySelector('[role=alert]').textContent = code === 'one_time_token_invalid'
      ? 'This link was used, or is too old. Ask for a new one.'
      : 'That did not work. Try again in a moment.';
  });
`;

const RESET_CONTENT = `<form method="post">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
<button>Set password</button>
<p role="alert"></p>
</form>
<p><a href="/admin/forgot-password">Ask for a new link</a></p>`;

/** The page behind "Forgot password?". */
export const forgotPasswordPage: RequestHandler = formPage({
  title: 'Forgot password?',
  content: REQUEST_CONTENT,
  script: REQUEST_SCRIPT,
});

/**
 * The page behind the mailed link. Opening it consumes nothing, because mail scanners open links
 * too.
 */
export const resetPasswordPage: RequestHandler = formPage({
  title: 'Choose a new password',
  content: RESET_CONTENT,
  script: RESET_SCRIPT,
});
