'use client';

import { readReturnTo } from '@acme/auth/client';
import { useState } from 'react';

export default function Page() {
  const [message, setMessage] = useState('');

  async function logIn(event) {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(event.currentTarget)));
    const { ok, status } = await fetch('/api/admin/auth/login', { method: 'POST', body });
    if (ok)
      location.assign(readReturnTo('/')); // never to another site, whatever the link says
    else setMessage(status === 401 ? 'Wrong name or password.' : `The server answered ${status}.`);
  }

  return (
    <main>
      <h1>Log in</h1>
      {/* POST, so that a browser without the script puts no password into an address. */}
      <form method="post" onSubmit={logIn}>
        <label>
          Name <input name="login" autoComplete="username" required />
        </label>{' '}
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>{' '}
        <button type="submit">Log in</button>
      </form>
      <p role="alert">{message}</p>
    </main>
  );
}
