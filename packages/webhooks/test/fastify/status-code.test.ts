import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { HTTP_STATUS, WebhookError, type WebhookErrorCode } from '../../src/errors.ts';

const CODES = Object.keys(HTTP_STATUS) as WebhookErrorCode[];

function serve(ownHandler: boolean) {
  const app = fastify();
  if (ownHandler) {
    app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
      reply.code(error.statusCode ?? 500).send({ message: error.message });
    });
  }
  app.get<{ Params: { code: WebhookErrorCode } }>('/throw/:code', async ({ params }) => {
    throw new WebhookError(params.code, 'refused');
  });
  return app;
}

describe.each([
  ['Fastify itself', false],
  ['an error handler that reads statusCode', true],
])('%s', (_, ownHandler) => {
  test('answers each error with its status', async () => {
    const app = serve(ownHandler);
    for (const code of CODES) {
      expect((await app.inject(`/throw/${code}`)).statusCode, code).toBe(HTTP_STATUS[code]);
    }
    expect((await app.inject('/throw/webhook_not_found')).statusCode).toBe(404);
    await app.close();
  });
});

test('every error carries both names of its status', () => {
  for (const code of CODES) {
    const error = new WebhookError(code, 'refused');
    expect([error.status, error.statusCode]).toEqual([HTTP_STATUS[code], HTTP_STATUS[code]]);
  }
});
