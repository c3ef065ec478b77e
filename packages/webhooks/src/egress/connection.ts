import type { Socket } from 'node:net';
import { progressTimers } from '../progress-timers.ts';
import type { Connect } from './connector.ts';
import type { ResponseReader } from './response-reader.ts';

/** One connection to one origin, for one request at a time. It connects for its first request. */
export interface Connection {
  /** Whose it is: only requests with the same key share it. */
  readonly key: string;
  /** Whether it has served another request before the one in flight. */
  isReused(): boolean;
  /**
   * Writes a request, and gives its response to `reader`, or the failure of the connection. What
   * has arrived before the first byte of the request belongs to no request, and closes the
   * connection.
   */
  send(request: Uint8Array, reader: ResponseReader): void;
  /**
   * Keeps the connection open for another request, until the recipient closes it or sends anything.
   *
   * @returns false if it is closed, or closes: a recipient that answered early may never read the
   *   rest of its request, and would delay the next one.
   */
  rest(idleMs: number): boolean;
  /** Closes the connection, even while it is connecting. Idempotent. */
  destroy(): void;
}

/** Receives what happens to a connection. */
export interface ConnectionEvents {
  /** Called once, whoever closes the connection. */
  readonly onClosed: () => void;
  /** The recipient sent something while the connection was idle. */
  readonly onSurplus: () => void;
}

/** With this, some recipients announce that they close an idle connection. */
const CLOSES_IDLE = /^HTTP\/1\.\d 408 /;

export function openConnection(
  origin: string,
  connect: Connect,
  { onClosed, onSurplus }: ConnectionEvents,
  key: string,
): Connection {
  const ending = new AbortController();
  let socket: Socket | undefined;
  let reader: ResponseReader | undefined;
  let requests = 0;
  let idleTimer: NodeJS.Timeout | undefined;

  function destroy(): void {
    if (ending.signal.aborted) return;
    clearTimeout(idleTimer);
    ending.abort();
    socket?.destroy();
    onClosed();
  }

  function attach(connected: Socket): void {
    socket = connected;
    const hangUp = (): void => {
      reader?.close();
      destroy();
    };
    connected.on('data', (chunk: Buffer) => {
      if (reader !== undefined) return reader.push(chunk);
      if (!CLOSES_IDLE.test(chunk.toString('latin1', 0, 16))) onSurplus();
      destroy();
    });
    connected.on('error', (error) => reader?.fail(error));
    connected.on('end', hangUp);
    connected.on('close', hangUp);
  }

  function write(request: Uint8Array, next: ResponseReader): void {
    if (ending.signal.aborted || socket === undefined || socket.destroyed) {
      socket?.destroy();
      destroy();
      next.close();
      return;
    }
    reader = next;
    socket.write(request);
  }

  return {
    key,
    isReused: () => requests > 1,
    send(request, next) {
      requests += 1;
      if (socket === undefined) {
        connect(origin, ending.signal).then(
          (connected) => {
            attach(connected);
            write(request, next);
          },
          (error: unknown) => next.fail(error),
        );
        return;
      }
      clearTimeout(idleTimer);
      socket.ref();
      // After a whole turn of the event loop, what the recipient has sent until now has been read.
      progressTimers.setImmediate(() => progressTimers.setImmediate(write, request, next));
    },
    rest(idleMs) {
      if (ending.signal.aborted || socket === undefined) return false;
      reader = undefined;
      socket.unref();
      idleTimer = progressTimers.setTimeout(destroy, idleMs).unref();
      const isSending = socket.writableLength > 0;
      if (isSending) socket.end();
      return !isSending;
    },
    destroy,
  };
}
