import type { AdminApi, AdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import express from 'express';

declare const api: AdminApi;
declare const panel: AdminPanel;
const app = express();

{
  //#region mount
  app.use(mount(api));
  app.use(mount(panel));
  //#endregion
}
