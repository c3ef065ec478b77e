import type { AdminApi, AdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/fastify';
import fastify from 'fastify';

declare const api: AdminApi;
declare const panel: AdminPanel;
const app = fastify();

{
  //#region mount
  app.register(mount(api));
  app.register(mount(panel));
  //#endregion
}
