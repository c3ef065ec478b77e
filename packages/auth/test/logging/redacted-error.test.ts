import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { redactedError } from '../../src/logging/redacted-error.ts';

describe('redactedError', () => {
  it("keeps what an AuthError quotes, and no value of its cause's message", () => {
    const cause = new Error("Duplicate entry 'hunter2' for key 'names'");
    const error = new AuthError('unavailable', 'The table "refresh_tokens" is away', { cause });
    expect(redactedError(error)).toMatchObject({
      code: 'unavailable',
      message: 'The table "refresh_tokens" is away',
      cause: { message: "Duplicate entry '…'" },
    });
  });

  it('quotes nothing of an error that only looks like an AuthError', () => {
    const error = Object.assign(new Error('The value "hunter2" is refused'), {
      name: 'AuthError',
      code: 'unavailable',
    });
    expect(redactedError(error).message).not.toContain('hunter2');
  });

  it('leaves out a secret that no quotation marks surround', () => {
    const error = new AuthError('unavailable', 'No mail to ada@example.com with hunter2');
    const { message } = redactedError(error, ['ada@example.com', 'hunter2']);
    expect(message).toMatch(/^No mail to /);
    expect(message).not.toMatch(/ada@example|hunter2/);
    expect(redactedError(error).message).toContain('hunter2');
  });
});
