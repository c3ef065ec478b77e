/** The three recipients that the show has: hooks of one process, with a webhook each. */
export const SHOWN_RECIPIENTS = [
  { hook: 'shop', name: 'Warehouse' },
  { hook: 'accounting', name: 'Accounting' },
  { hook: 'newsletter', name: 'Newsletter' },
] as const;
