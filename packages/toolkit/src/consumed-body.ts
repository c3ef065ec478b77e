/** Shared by every copy of both packages in a process, ESM and CommonJS builds included. */
const brand: unique symbol = Symbol.for('@acme/consumed-body');

/**
 * The mistake of a host, for its log alone: something before the mount has read the body of a
 * request and left nothing of it.
 */
export class ConsumedBodyError extends TypeError {
  constructor() {
    super('The body has been read already: mount the handler before any body parser');
  }

  get [brand](): true {
    return true;
  }
}

/** Tells whether reading a body failed with the {@link ConsumedBodyError} of any copy. */
export function isConsumedBodyError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Tells whether another reader has the body of a request: it cannot be read any more. */
export function isBodyRead({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

/** The body in place of one that was consumed and not parsed: reading it fails. */
export function consumedBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return failingBody(new ConsumedBodyError());
}

/**
 * A body that fails when it is read, so that it is not taken for an empty one. Endpoints that need
 * no body answer as always.
 */
export function failingBody(error: unknown): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.error(error);
      },
    },
    { highWaterMark: 0 },
  );
}
