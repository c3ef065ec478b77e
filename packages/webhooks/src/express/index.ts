export type { ExpressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
export type { FetchHandler } from '../http/fetch-handler.ts';
export { mount } from './mount.ts';
