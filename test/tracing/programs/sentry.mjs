import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: 'http://key@127.0.0.1:9/1',
  environment: 'production',
  release: '1.2.3',
  tracesSampleRate: 1,
});
