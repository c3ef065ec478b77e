import { describe, expect, onTestFinished } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { createWebhooks, isWebhookError, memoryStorage } from '../../../../src/index.ts';
import { ApiError } from '../../../../src/panel/app/api/api-error.ts';
import { fieldMessage } from '../../../../src/panel/app/messages/problem-message.ts';

describe('the message for a refused field', () => {
  const engine = () => {
    const webhooks = createWebhooks({ storage: memoryStorage() });
    onTestFinished(() => webhooks.close());
    return webhooks;
  };
  const messageOf = async (field: string, input: object) => {
    const error = await engine()
      .create(input as { url: string })
      .catch((refusal: unknown) => refusal);
    const errors = isWebhookError(error) ? (error.errors ?? []) : [];
    return fieldMessage(new ApiError(422, 'validation_failed', '', errors), field);
  };
  const url = 'https://hooks.example.com/in';

  inOneTest<[string, object, string]>([
    ['url', {}, 'This is required.'],
    ['url', { url: 'https://' }, 'This is not a complete http or https URL.'],
    ['url', { url: 'http://10.0.0.1/' }, 'reachable from the internet'],
    ['url', { url: 'http://localhost:3000/hook' }, 'such as 127.0.0.1'],
    ['url', { url: 'http://intranet/' }, 'such as 127.0.0.1'],
    ['url', { url: 'https://api.internal/' }, 'such as 127.0.0.1'],
    ['url', { url: 'https://a:b@example.com/' }, 'The URL must not carry a user name or password.'],
    ['url', { url: 'https://example.com:25/' }, 'This port is not allowed'],
    ['url', { url: `${url}?***` }, 'enter it whole'],
    [
      'url',
      { url: `https://example.com/${'x'.repeat(2_048)}` },
      'This is too long: at most 2,048 characters.',
    ],
    ['description', { url, description: 'x'.repeat(1_001) }, 'This is too long: at most 1,000 characters.'],
    [
      'events',
      { url, events: Array.from({ length: 101 }, (_, n) => `a.b${n}`) },
      'These are too many: at most 100.',
    ],
    ['events', { url, events: ['a..b'] }, 'A pattern is *, the beginning of a name'],
    ['description', { url, description: 7 }, 'Must be text.'],
  ])('is a text of the dictionary, or else that of the server: %s', async (field, input, text) => {
    expect(await messageOf(field, input)).toContain(text);
  });
});
