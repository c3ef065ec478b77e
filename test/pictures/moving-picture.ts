/**
 * Parts of a WebP file that are a picture: lossy, lossless, and the alpha channel of a lossy one.
 */
const PICTURE_CHUNKS = ['VP8 ', 'VP8L', 'ALPH'];
const ANIMATION = 0x02;

/**
 * Joins WebP pictures of one size into one that moves, and begins anew after the last (WebP
 * container specification, section "Animation").
 */
export function movingPicture(
  frames: readonly { readonly webp: Buffer; readonly ms: number }[],
  size: { readonly width: number; readonly height: number },
): Buffer {
  const dimensions = Buffer.concat([uint24(size.width - 1), uint24(size.height - 1)]);
  const header = chunk('VP8X', Buffer.concat([Buffer.from([ANIMATION, 0, 0, 0]), dimensions]));
  // Four bytes of a ground that no frame lets through, two of how often: 0 is for ever.
  const animation = chunk('ANIM', Buffer.alloc(6));
  const moving = frames.map(({ webp, ms }) => {
    const place = Buffer.alloc(6);
    return chunk('ANMF', Buffer.concat([place, dimensions, uint24(ms), Buffer.alloc(1), ...pictureIn(webp)]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), header, animation, ...moving]);
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length), body]);
}

function pictureIn(webp: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (PICTURE_CHUNKS.includes(webp.toString('latin1', at, at + 4))) found.push(webp.subarray(at, end));
    at = end;
  }
  return found;
}

function chunk(name: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(name),
    uint32(content.length),
    content,
    Buffer.alloc(content.length % 2),
  ]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
