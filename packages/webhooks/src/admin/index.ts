export { type AdminPanel, createAdminPanel } from '../panel/admin-panel.ts';
export type { AdminPanelOptions } from '../panel/panel-options.ts';
export type { PanelTexts } from '../panel/texts/dictionary.ts';
export { type AdminApi, createAdminApi } from './admin-api.ts';
export type { AdminApiOptions } from './admin-options.ts';
export type { AuditEvent } from './audit.ts';
export type { AdminActor } from './authorize.ts';
