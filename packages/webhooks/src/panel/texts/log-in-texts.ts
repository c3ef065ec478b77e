/** The panel's own log-in page. */
export const LOG_IN_TEXTS = {
  pageTitle: 'Log in · Webhooks',
  heading: 'Log in to manage webhooks',
  login: 'User name or email',
  password: 'Password',
  submit: 'Log in',
  wrongTitle: 'The user name or the password is wrong',
  wrong: 'Check the user name and the password, then try again.',
  notPossibleTitle: 'You cannot log in at present',
  crossSite:
    'The server refused this request because it seems to come from another site. Open this page at its usual address.',
  throttledTitle: 'Too many attempts',
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  unexpected:
    'The server did not accept this log-in, and gave no reason that this page knows. Try again; the operator can find the reason in its log.',
  again: 'Try again shortly.',
  againIn: 'Try again {time}.',
  busyAgain: 'The server is busy. Try again shortly.',
  busyAgainIn: 'The server is busy. Try again {time}.',
} as const;
