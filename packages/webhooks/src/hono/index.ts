export type { FetchHandler } from '../http/fetch-handler.ts';
export { mount } from './mount.ts';
