import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhooks, isWebhookError, memoryStorage } from '../../../../src/index.ts';
import { ApiError } from '../../../../src/panel/app/api/api-error.ts';
import { fieldMessage } from '../../../../src/panel/app/messages/problem-message.ts';

describe('the message for a refused URL', () => {
  const refused = (message: string) =>
    new ApiError(422, 'url_not_public', message, [{ field: 'url', code: 'url_not_public', message }]);

  it('says what a public address is where that is the reason', () => {
    expect(fieldMessage(refused('The host does not lead to a public address.'), 'url')).toContain(
      'reachable from the internet',
    );
  });

  it.each(['http://localhost:3000/hook', 'http://intranet/', 'https://api.internal/'])(
    'says what to enter in place of a local name: %s',
    async (url) => {
      const webhooks = createWebhooks({ storage: memoryStorage() });
      onTestFinished(() => webhooks.close());
      const error = await webhooks.create({ url }).catch((refusal: unknown) => refusal);
      const [problem] = isWebhookError(error) ? (error.errors ?? []) : [];
      expect(fieldMessage(refused(problem?.message ?? ''), 'url')).toContain('such as 127.0.0.1');
    },
  );

  it.each([
    'The URL must not carry a user name or password.',
    'Port 25 is not allowed: use 80, 443 or a port above 1023.',
  ])('is that of the server where the reason is another: %s', (message) => {
    expect(fieldMessage(refused(message), 'url')).toBe(message);
  });
});
