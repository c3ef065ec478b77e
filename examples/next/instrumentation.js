/** Next calls this once per process, before the first request, and builds it for the edge runtime, too. */
export async function register() {
  // Inside the condition: after an early return, webpack follows the imports all the same.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { sessions } = await import('./lib/auth.js');
    const { webhooks } = await import('./lib/webhooks.js');
    await Promise.all([sessions.start(), webhooks.start()]);
  }
}
