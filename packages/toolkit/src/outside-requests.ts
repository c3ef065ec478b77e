import { AsyncResource } from 'node:async_hooks';

/**
 * The asynchronous context in which the package was loaded, which is that of no request. What
 * serves several callers is bound to it, even if a request creates the object that does it.
 */
export const outsideRequests: AsyncResource = new AsyncResource('outside requests');
