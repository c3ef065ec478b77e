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
  const chunks: Buffer[] = [];
  try {
    // `end` is the position of the last byte: one more than there may be.
    for await (const chunk of createReadStream(path, { end: maxBytes })) chunks.push(chunk);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`${title} cannot be read: ${code}.`);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > maxBytes) throw new UsageError(`${title} has more than ${maxBytes} bytes.`);
  return bytes;
}
