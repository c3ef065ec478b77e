import 'reflect-metadata';
import { type CanActivate, Injectable, Module, UseGuards } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requireAuth, requireScope } from '../../src/nest/guards.ts';
import { RefusedException } from '../../src/nest/refused-exception.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

/** A resolver as Nest's module of GraphQL calls one: with root, arguments, context and info. */
async function resolverOf(
  type: string,
  scope = 'admin',
  others: readonly CanActivate[] = [],
): Promise<(context: unknown) => Promise<unknown>> {
  const { auth } = createGuardHarness();
  class Resolver {
    answer(): string {
      return 'reached';
    }
  }
  const { prototype } = Resolver;
  const method = Object.getOwnPropertyDescriptor(prototype, 'answer') ?? {};
  UseGuards(...others, requireAuth(auth), requireScope(scope))(prototype, 'answer', method);
  Injectable()(Resolver);
  class AppModule {}
  Module({ providers: [Resolver] })(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  onTestFinished(() => app.close());
  const resolver = app.get(Resolver);
  const options = { guards: true, interceptors: true, filters: true };
  const call = app
    .get(ExternalContextCreator)
    .create(resolver, resolver.answer, 'answer', undefined, undefined, undefined, undefined, options, type);
  return async (context) => await call(undefined, {}, context, {});
}

const requestWith = (headers: Record<string, string>) => ({ method: 'POST', url: '/graphql', headers });

describe('the guards of Nest on a resolver of GraphQL', () => {
  const own = requestWith(cookies(forgeToken()));

  it.each<[string, (request: object) => unknown]>([
    ['Apollo', (req) => ({ req, res: {} })],
    ['Yoga', (request) => ({ request })],
    ['Mercurius', (raw) => ({ reply: { request: { raw } } })],
  ])('read the request where %s keeps it', async (_, contextWith) => {
    const call = await resolverOf('graphql');
    const request = { ...own };
    expect(await call(contextWith(request))).toBe('reached');
    await expect(call(contextWith(requestWith({})))).rejects.toMatchObject({
      name: RefusedException.name,
      problem: { status: 401, body: { code: 'token_missing' } },
    });
    const foreign = requestWith({ ...cookies(forgeToken()), 'sec-fetch-site': 'cross-site' });
    await expect(call(contextWith(foreign))).rejects.toMatchObject({ problem: { status: 403 } });
  });

  it.each([
    ['graphql', undefined],
    ['graphql', {}],
    ['rpc', { req: own }],
    ['ws', { req: own }],
  ])('let nobody through where there is no request: %s %j', async (type, context) => {
    const call = await resolverOf(type);
    await expect(call(context)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`in this context: ${type}`),
    });
  });
});
