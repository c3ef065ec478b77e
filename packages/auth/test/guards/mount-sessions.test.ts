import { describe } from 'vitest';
import { HONO, HONO_ENDS } from '../../../toolkit/test/hono-hosts.ts';
import { onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import { onHono } from './hono-framework.ts';
import { mountAnswerContract } from './mount-answer-contract.ts';
import { describeMount } from './mount-contracts.ts';

describeMount('Express 5', onExpress5, { routes: true });
describeMount('Fastify 5', onFastify, { routes: true });
describeMount('fetch on Node', onFetch);
describeMount(HONO.name, onHono(HONO));

describe.each(HONO_ENDS)('the answers of mountSessions on $name', (host) =>
  mountAnswerContract(onHono(host), '/api/admin', 'root'),
);
