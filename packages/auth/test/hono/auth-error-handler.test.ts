import { type ErrorHandler, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, it, vi } from 'vitest';
import { authErrorHandler } from '../../src/hono/auth-error-handler.ts';

describe('authErrorHandler', () => {
  it("refuses options in the place of the host's handler", () => {
    const options: unknown = { logger: console };
    expect(() => authErrorHandler(options as ErrorHandler)).toThrow(/^otherwise must be a function/);
  });

  it('does as Hono does with every other error when the host has no handler of its own', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new Hono();
    app.onError(authErrorHandler());
    app.get('/exception', () => {
      throw new HTTPException(418, { message: 'short and stout' });
    });
    app.get('/other', () => {
      throw new Error('of the handler');
    });
    const exception = await app.request('/exception');
    expect([exception.status, await exception.text()]).toEqual([418, 'short and stout']);
    expect(printed).not.toHaveBeenCalled();
    const other = await app.request('/other');
    expect([other.status, await other.text()]).toEqual([500, 'Internal Server Error']);
    expect(printed).toHaveBeenCalledOnce();
    printed.mockRestore();
  });
});
