export type { FastifyPlugin as FastifyMount } from '../../../toolkit/src/mounts/fastify-plugin.ts';
export type { FetchHandler } from '../answer-request.ts';
export { mount } from './mount.ts';
