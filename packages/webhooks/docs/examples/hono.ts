import type { AdminApi, AdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/hono';
import { Hono } from 'hono';

declare const api: AdminApi;
declare const panel: AdminPanel;
const app = new Hono();

{
  //#region mount
  app.use(mount(api));
  app.use(mount(panel));
  //#endregion
}
