export type { AuditEvent } from '../admin/audit.ts';
export { createPortalApi, type PortalApi } from './portal-api.ts';
export type { AuthorizePortal, PortalActor } from './portal-options.ts';
