/**
 * The mistake of a host, for its log alone: something before the mount has read the body of a
 * request and left nothing of it.
 */
export class ConsumedBodyError extends TypeError {
  constructor() {
    super('The body has been read already: mount the sessions before any body parser');
  }
}

/**
 * The body in place of one that is gone. Reading it fails, so that it is not taken for an empty
 * one. Endpoints that need no body answer as always.
 */
export function consumedBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.error(new ConsumedBodyError());
      },
    },
    { highWaterMark: 0 },
  );
}
