import { OTHER_HONOS } from '../../../toolkit/test/hono-hosts.ts';
import { onExpress4 } from './express-framework.ts';
import { onHono } from './hono-framework.ts';
import { describeMount } from './mount-contracts.ts';

describeMount('Express 4', onExpress4, { routes: true });
for (const host of OTHER_HONOS) {
  // Release 1.14 lets an exception escape when a body is cancelled whose client goes on sending.
  const overSocket = host.release !== undefined && host.release !== '1.14';
  describeMount(host.name, onHono(host), { overSocket });
}
