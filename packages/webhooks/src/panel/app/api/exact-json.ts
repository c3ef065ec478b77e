/**
 * Parses JSON. A number that this browser would write in another way stays as it was written, so
 * that a payload is shown, and copied, as it was sent. Browsers before Chrome 114, Firefox 135 and
 * Safari 18.4 cannot tell.
 */
export function exactJson(text: string): ReturnType<typeof JSON.parse> {
  return JSON.parse(text, exactly);
}

function exactly(_key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && source !== '' && source !== `${value}`
    ? Reflect.get(JSON, 'rawJSON').call(JSON, source)
    : value;
}
