export type { FetchHandler } from '../http/fetch-handler.ts';
export { type FastifyMount, mount, type PluginHost } from './mount.ts';
