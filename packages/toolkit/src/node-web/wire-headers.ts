/** Headers that describe the bytes on the wire. They do not apply to a body that was made anew. */
export const WIRE_HEADERS: readonly string[] = ['content-length', 'content-encoding', 'transfer-encoding'];
