/**
 * The bytes of a file in UTF-8: PowerShell redirects into files in UTF-16 with a byte order mark.
 * Other bytes stay as they are.
 */
export function fromUtf16(bytes: Buffer): Buffer {
  if (bytes[0] !== 0xff || bytes[1] !== 0xfe) return bytes;
  return Buffer.from(bytes.subarray(2).toString('utf16le'), 'utf8');
}
