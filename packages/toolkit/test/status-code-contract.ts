import fastify from 'fastify';
import { describe, expect, it } from 'vitest';

/** An error of a package, which says its HTTP status under both names that frameworks read. */
interface CodedError extends Error {
  readonly status: number;
  readonly statusCode: number;
}

/** Tests that Fastify answers a package's errors with their status by itself. */
export function describeStatusCodes(
  statuses: Readonly<Record<string, { readonly status: number }>>,
  errorOf: (code: string) => CodedError,
): void {
  const rows = Object.entries(statuses).map(([code, { status }]) => [code, status] as const);

  function serve(ownHandler: boolean) {
    const app = fastify();
    if (ownHandler) {
      app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
        reply.code(error.statusCode ?? 500).send({ message: error.message });
      });
    }
    app.get<{ Params: { code: string } }>('/throw/:code', async ({ params }) => {
      throw errorOf(params.code);
    });
    return app;
  }

  describe.each([
    ['Fastify itself', false],
    ['an error handler that reads statusCode', true],
  ])('%s', (_, ownHandler) => {
    it('answers each error with its status', async () => {
      const app = serve(ownHandler);
      for (const [code, status] of rows) {
        expect((await app.inject(`/throw/${code}`)).statusCode, code).toBe(status);
      }
      expect(rows.length).toBeGreaterThan(20);
      await app.close();
    });
  });

  it('every error carries both names of its status', () => {
    for (const [code, status] of rows) {
      const error = errorOf(code);
      expect([error.status, error.statusCode]).toEqual([status, status]);
    }
  });
}
