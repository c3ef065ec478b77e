export type { ExpressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
export type { FetchHandler } from '../answer-request.ts';
export { mount } from './mount.ts';
