export type { FetchHandler } from '../answer-request.ts';
export { mount } from './mount.ts';
