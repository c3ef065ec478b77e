export type {
  FastifyPlugin as FastifyMount,
  PluginHost,
} from '../../../toolkit/src/mounts/fastify-plugin.ts';
export type { FetchHandler } from '../http/fetch-handler.ts';
export { mount } from './mount.ts';
