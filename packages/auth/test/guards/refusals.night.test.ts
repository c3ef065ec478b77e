import { describe } from 'vitest';
import { OTHER_HONOS } from '../../../toolkit/test/hono-hosts.ts';
import { onExpress4, onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import { onHono } from './hono-framework.ts';
import { refusalContract } from './refusal-contract.ts';

describe.each<[string, () => void]>([
  ['Express 5 at the root', () => refusalContract(onExpress5, '')],
  ['Fastify 5 at the root', () => refusalContract(onFastify, '')],
  ['fetch on Node at the root', () => refusalContract(onFetch, '')],
  ['Express 4', () => refusalContract(onExpress4, '/api/admin')],
  ...OTHER_HONOS.map((host): [string, () => void] => [
    host.name,
    () => refusalContract(onHono(host), '/api/admin'),
  ]),
])('a refusal by the guards of %s', (_, contract) => contract());
