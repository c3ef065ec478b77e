export type { FastifyPlugin as FastifyMount } from '../../../toolkit/src/mounts/fastify-plugin.ts';
export type { FetchHandler } from '../http/fetch-handler.ts';
export { mount } from './mount.ts';
