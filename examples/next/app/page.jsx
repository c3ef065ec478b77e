'use client';

import { goToLogin, startStatusPoll } from '@acme/auth/client';
import { useEffect, useRef, useState } from 'react';

export default function Page() {
  const [message, setMessage] = useState('');
  const poll = useRef(null);

  // An access token lives for five minutes. The poll renews it, and tells when the session is over.
  useEffect(() => {
    const onRevoked = () => goToLogin('/login');
    poll.current = startStatusPoll({ url: '/api/admin/auth/status', onRevoked });
    return () => poll.current.stop();
  }, []);

  async function placeOrder() {
    const send = () => fetch('/api/admin/orders', { method: 'POST' });
    let { ok, status } = await send();
    // A computer that slept: the token is over, and the session may not be.
    if (status === 401 && (await poll.current.pollNow()) === 'refreshed') ({ ok, status } = await send());
    setMessage(ok ? 'Placed. Its event is on its way.' : `The server answered ${status}.`);
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
