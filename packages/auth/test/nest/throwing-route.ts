import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import { Controller, Get, type INestApplication, Module, Res, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { onTestFinished } from 'vitest';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import type { Guard } from '../../src/nest/guards.ts';

export type Create = (module: object) => Promise<INestApplication>;

/** How an app is made over each platform that Nest supports. */
export const CREATE: readonly [string, Create][] = [
  ['Express', (module) => NestFactory.create(module, { logger: false })],
  ['Fastify', (module) => NestFactory.create(module, new FastifyAdapter(), { logger: false })],
];

/** Asks for a route whose handler throws, perhaps after it has written a part of its answer. */
export async function ask(
  create: Create,
  thrown: unknown,
  { filter = true, guards = [] as Guard[], written = '', headers = {} } = {},
): Promise<Response> {
  class RouteController {
    answer(response: ServerResponse | { readonly raw: ServerResponse }): never {
      if (written !== '') ('raw' in response ? response.raw : response).write(written);
      throw thrown;
    }
  }
  const method = Object.getOwnPropertyDescriptor(RouteController.prototype, 'answer') ?? {};
  Get()(RouteController.prototype, 'answer', method);
  Res({ passthrough: true })(RouteController.prototype, 'answer', 0);
  UseGuards(...guards)(RouteController.prototype, 'answer', method);
  Controller('x')(RouteController);
  class AppModule {}
  Module({ controllers: [RouteController] })(AppModule);
  const app = await create(AppModule);
  if (filter) app.useGlobalFilters(new AuthExceptionFilter({ logger: { error: () => {} } }));
  await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  return await fetch(`${await app.getUrl()}/x`, { headers: { connection: 'close', ...headers } });
}
