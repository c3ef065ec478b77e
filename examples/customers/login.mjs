// Runs in the browser: logs in, and goes back to where the visitor came from.
const form = document.querySelector('form');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  });
  if (answer.ok) location.assign(returnTo());
  else form.querySelector('p').textContent = 'The user or the password is wrong.';
});

/** Only pages of the portal: anything else could lead to another site. */
function returnTo() {
  const wanted = new URLSearchParams(location.search).get('return_to') ?? '';
  const url = URL.canParse(wanted, location.href) ? new URL(wanted, location.href) : location;
  const isOfPortal = url.pathname === '/webhooks' || url.pathname.startsWith('/webhooks/');
  return url.origin === location.origin && isOfPortal ? url.href : '/webhooks';
}
