import { register } from 'node:module';
import tracer from 'dd-trace';

register('dd-trace/loader-hook.mjs', import.meta.url);
tracer.init({ url: 'http://127.0.0.1:9', startupLogs: false, remoteConfig: { enabled: false } });
