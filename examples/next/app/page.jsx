'use client';

import { goToLogin } from '@acme/auth/client';
import { useState } from 'react';

export default function Page() {
  const [message, setMessage] = useState('');

  async function placeOrder() {
    const { ok, status } = await fetch('/api/admin/orders', { method: 'POST' });
    if (status === 401) goToLogin('/login');
    else setMessage(ok ? 'Placed. Its event is on its way.' : `The server answered ${status}.`);
  }

  return (
    <main>
      <h1>Orders</h1>
      <button type="button" onClick={placeOrder}>
        Place an order
      </button>
      <p role="status">{message}</p>
      <a href="/admin/webhooks">Webhooks</a>
    </main>
  );
}
