export type { PortalOptions } from './portal.ts';
export { createPortal, type Portal } from './portal.ts';
export { createPortalApi, type PortalApi } from './portal-api.ts';
export type { PortalActor, PortalApiOptions } from './portal-options.ts';
