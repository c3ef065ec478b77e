/** The three recipients that the show has: hooks of one process, with a webhook each. */
export const SHOWN_RECIPIENTS = [
  { hook: 'shop', name: 'Warehouse' },
  { hook: 'accounting', name: 'Accounting' },
  { hook: 'newsletter', name: 'Newsletter' },
] as const;

/** Where a recipient takes its webhooks. */
export function hookPath(hook: string): string {
  return `/hooks/${hook}`;
}
