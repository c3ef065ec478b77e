import { describe } from 'vitest';
import { HONO, HONO_ENDS } from '../../../toolkit/test/hono-hosts.ts';
import { answerContract } from './answer-contract.ts';
import { onExpress5 } from './express-framework.ts';
import { onFastify } from './fastify-framework.ts';
import { onFetch } from './fetch-framework.ts';
import { describeGuards } from './guards-contracts.ts';
import { onHono } from './hono-framework.ts';
import { onNestOverExpress } from './nest-framework.ts';

describeGuards('Express 5', onExpress5);
describeGuards('Fastify 5', onFastify);
describeGuards('fetch on Node', onFetch);
describeGuards('Nest over Express', onNestOverExpress);
describeGuards(HONO.name, onHono(HONO));

describe.each(HONO_ENDS)('the answers of guards of $name', (host) =>
  answerContract(onHono(host), '/api/admin'),
);
