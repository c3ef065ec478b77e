export type { FetchHandler } from '../http/fetch-handler.ts';
export { type ExpressHandler, mount } from './mount.ts';
