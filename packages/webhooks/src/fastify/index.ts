export type {
  FastifyPlugin as FastifyMount,
  PluginHost,
} from '../../../toolkit/src/mounts/fastify-plugin.ts';
export type { FetchHandler } from '../answer-request.ts';
export { mount } from './mount.ts';
