/** Next calls this once per process, before the first request, and in the edge runtime as well. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { sessions } = await import('./lib/auth.js');
  const { webhooks } = await import('./lib/webhooks.js');
  await Promise.all([sessions.start(), webhooks.start()]);
}
