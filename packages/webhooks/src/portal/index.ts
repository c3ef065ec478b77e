export { createPortal, type Portal } from './portal.ts';
export { createPortalApi, type PortalApi } from './portal-api.ts';
export type { PortalActor } from './portal-options.ts';
