import { OTHER_HONOS } from '../../../toolkit/test/hono-hosts.ts';
import { onExpress4 } from './express-framework.ts';
import { describeGuards } from './guards-contracts.ts';
import { onHono } from './hono-framework.ts';
import { onNestOverFastify } from './nest-framework.ts';

describeGuards('Express 4', onExpress4);
describeGuards('Nest over Fastify', onNestOverFastify);
for (const host of OTHER_HONOS) describeGuards(host.name, onHono(host), host.release !== undefined);
