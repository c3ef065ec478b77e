import { betweenPolls } from '@acme/auth/client';

// Of the page that the callback answers with: sends its token while no tab polls.
const { content: token } = document.querySelector('meta[name="log-in-token"]');
const { ok } = await betweenPolls('/api/admin/auth/status', () =>
  fetch('/api/admin/auth/finish', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  }),
);
location.replace(ok ? '/' : '/login');
