import 'reflect-metadata';
import { Controller, Get, type INestApplication, Module, NotFoundException, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import { type Guard, requireAuth } from '../../src/nest/guards.ts';
import { createGuardHarness } from '../guards/guard-harness.ts';

type Create = (module: object) => Promise<INestApplication>;

const CREATE: readonly [string, Create][] = [
  ['Express', (module) => NestFactory.create(module, { logger: false })],
  ['Fastify', (module) => NestFactory.create(module, new FastifyAdapter(), { logger: false })],
];

/** Asks for a route whose handler throws. */
async function ask(create: Create, thrown: unknown, { filter = true, guards = [] as Guard[] } = {}) {
  class RouteController {
    answer(): never {
      throw thrown;
    }
  }
  const method = Object.getOwnPropertyDescriptor(RouteController.prototype, 'answer') ?? {};
  Get()(RouteController.prototype, 'answer', method);
  UseGuards(...guards)(RouteController.prototype, 'answer', method);
  Controller('x')(RouteController);
  class AppModule {}
  Module({ controllers: [RouteController] })(AppModule);
  const app = await create(AppModule);
  if (filter) app.useGlobalFilters(new AuthExceptionFilter({ logger: { error: () => {} } }));
  await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  return await fetch(`${await app.getUrl()}/x`, { headers: { connection: 'close' } });
}

describe.each(CREATE)('the exception filter of Nest over %s', (_, create) => {
  it('answers an error of the package as the guards do', async () => {
    const error = new AuthError('hashing_busy', 'Too many', { retryAfterSeconds: 2 });
    const response = await ask(create, error);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ status: 503, code: 'hashing_busy' });
  });

  it('leaves every other exception to Nest', async () => {
    expect((await ask(create, new NotFoundException('No such order'))).status).toBe(404);
    const response = await ask(create, new Error('a secret of the database'));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
  });

  it('is not needed for a refusal to be one', async () => {
    const guards = [requireAuth(createGuardHarness().auth)];
    const response = await ask(create, new Error('reached'), { filter: false, guards });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, code: 'token_missing' });
  });
});

describe('the guards of Nest', () => {
  it('let nobody through where there is no HTTP request', async () => {
    const guard = requireAuth(createGuardHarness().auth);
    const context = { getType: () => 'rpc' } as Parameters<Guard['canActivate']>[0];
    await expect(guard.canActivate(context)).rejects.toThrow('guard HTTP routes, got rpc');
  });

  it('need an instance when the route is set up', () => {
    // @ts-expect-error A guard without an instance does not compile.
    expect(() => requireAuth()).toThrow(TypeError);
    // @ts-expect-error An option that does not exist does not compile.
    expect(() => new AuthExceptionFilter({ log: true })).toThrow(TypeError);
  });
});
