import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import { All, Controller, type INestApplication, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { onTestFinished } from 'vitest';
import { claimsOf } from '../../src/http/request-claims.ts';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import * as guards from '../../src/nest/guards.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Application, Framework, Route } from './framework.ts';

export const onNestOverExpress: Framework<guards.Guard> = frameworkOf(
  (module) => NestFactory.create(module, new ExpressAdapter(), { logger: false }),
  { everyPath: '/*path', keepsTrailingSlash: true },
);
export const onNestOverFastify: Framework<guards.Guard> = frameworkOf(
  (module) => NestFactory.create(module, new FastifyAdapter(), { logger: false }),
  { everyPath: '/*', keepsTrailingSlash: false },
);

/** How Nest's routes differ by what it runs on. */
interface Platform {
  readonly everyPath: string;
  /** Whether `/x` and `/x/` are two routes. */
  readonly keepsTrailingSlash: boolean;
}

function frameworkOf(
  create: (module: object) => Promise<INestApplication>,
  platform: Platform,
): Framework<guards.Guard> {
  return {
    ...guards,
    injecting: (claims) => ({
      async canActivate(context) {
        withClaims(context.switchToHttp().getRequest<object>(), claims);
        return true;
      },
    }),
    async start({ prefix, outer = [], routes = [], before = {}, logger }) {
      const app = await create(moduleOf({ prefix, outer, routes }, platform));
      app.use((_request: object, response: ServerResponse, next: () => void) => {
        response.setHeaders(new Map(Object.entries(before)));
        next();
      });
      app.useGlobalFilters(new AuthExceptionFilter({ logger }));
      await app.listen(0, '127.0.0.1');
      onTestFinished(async () => {
        app.getHttpServer().closeAllConnections();
        await app.close();
      });
      const origin = await app.getUrl();
      return { port: Number(new URL(origin).port), fetch: (path, init) => fetch(origin + path, init) };
    },
  };
}

/** A module as decorators would make it, with one controller for each route. */
function moduleOf(
  { prefix, outer = [], routes = [] }: Application<guards.Guard>,
  { everyPath, keepsTrailingSlash }: Platform,
): object {
  const own = routes.filter(({ path }) => keepsTrailingSlash || path === '/' || !path.endsWith('/'));
  const controllers = own.map((route) => controllerOf(prefix, outer, route));
  // Every path below the prefix, known or not, is behind the outer guards.
  if (outer.length > 0) {
    const unknown = { path: everyPath, guards: [], answer: () => ({}) };
    controllers.push(controllerOf(prefix, outer, unknown));
  }
  class AppModule {}
  Module({ controllers })(AppModule);
  return AppModule;
}

function controllerOf(
  prefix: string,
  outer: readonly guards.Guard[],
  { path, guards, answer }: Route<guards.Guard>,
): new () => object {
  class RouteController {
    answer(request: object): object {
      return answer(() => claimsOf(request));
    }
  }
  const { prototype } = RouteController;
  const method = Object.getOwnPropertyDescriptor(prototype, 'answer');
  if (method === undefined) throw new Error('The controller has no method');
  Req()(prototype, 'answer', 0);
  All(path)(prototype, 'answer', method);
  UseGuards(...outer, ...guards)(prototype, 'answer', method);
  Controller(prefix)(RouteController);
  return RouteController;
}
