export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { webhooks } = await import('./lib/webhooks');
  await webhooks.start();
}
