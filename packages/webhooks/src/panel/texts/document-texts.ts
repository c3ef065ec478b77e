/** What the server writes: the page before its scripts have run, and pages without any. */
export const DOCUMENT_TEXTS = {
  title: 'Webhooks',
  loading: 'Loading…',
  scriptsNeeded: 'These pages need JavaScript.',
  notFoundTitle: 'Not found',
  notFound: 'This page does not exist.',
  toList: 'Go to the list of webhooks',
  notLoggedInTitle: 'Not logged in',
  notLoggedIn: 'Log in, then open this page again.',
  toLogIn: 'Log in',
  notAllowedTitle: 'Not allowed',
  notAllowed: 'Your account may not manage webhooks.',
  tryAgainTitle: 'Try again',
  tryAgain: 'Your identity cannot be verified at present. Try again shortly.',
  notPossibleTitle: 'Not possible',
  notPossible: 'This page can only be read.',
  product: 'this application',
} as const;

/** The server's own texts, in the language of a page. */
export type DocumentTexts = Readonly<Record<keyof typeof DOCUMENT_TEXTS, string>>;
