import { describe, expect, it } from 'vitest';
import { WebhookError } from '../../src/errors.ts';
import { describeError, redactedError } from '../../src/logging/redacted-error.ts';

describe('what may be told of an error', () => {
  it.each([
    ['a log', describeError],
    ['the host', redactedError],
  ])('tells %s what a WebhookError says, and no value of its cause', (_, tell) => {
    const cause = new Error("Duplicate entry 'hunter2' for key 'names'");
    const error = new WebhookError('storage_unavailable', 'The table "webhooks" is away', { cause });
    expect(tell(error)).toMatchObject({
      name: 'WebhookError',
      code: 'storage_unavailable',
      message: 'The table "webhooks" is away',
      cause: { name: 'Error', message: "Duplicate entry '…'" },
    });
  });

  it.each(['invalid_payload', 'schema_failed'] as const)(
    'keeps nothing of what the code of the host says over a payload: %s',
    (code) => {
      const cause = new Error('card 4711', { cause: new AggregateError([new Error('card 4711')]) });
      const described = describeError(new WebhookError(code, 'The schema threw', { cause }));
      expect(described).toMatchObject({ message: 'The schema threw', cause: { name: 'Error', message: '' } });
      expect(JSON.stringify(described)).not.toContain('4711');
    },
  );
});
