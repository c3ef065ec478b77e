import { createReadStream } from 'node:fs';
import { UsageError } from './usage-error.ts';

/**
 * Reads a file of at most so many bytes. A pipe, whose size nothing tells, is bounded as well.
 *
 * @returns nothing if there is no such file
 * @throws UsageError if it cannot be read or is too large
 */
export async function readBounded(
  path: string,
  maxBytes: number,
  title: string,
): Promise<Buffer | undefined> {
  try {
    // `end` is the position of the last byte: one more than there may be.
    return await collectBounded(createReadStream(path, { end: maxBytes }), maxBytes, title);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`${title} cannot be read: ${code}.`);
  }
}

/** Reads a stream of at most so many bytes. */
export async function collectBounded(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  title: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new UsageError(`${title} has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
