/**
 * What a browser keeps of `Set-Cookie`, and sends along: by name and path, RFC 6265 section 5.4.
 */
export class CookieJar {
  readonly #cookies = new Map<string, { readonly pair: string; readonly path: string }>();

  receive(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, pair = '', name = ''] = /^(([^=]+)=[^;]*)/.exec(line) ?? [];
      const [, path = '/'] = /; Path=([^;]+)/i.exec(line) ?? [];
      const key = `${name};${path}`;
      if (/; Max-Age=0(;|$)/i.test(line)) this.#cookies.delete(key);
      else this.#cookies.set(key, { pair, path });
    }
  }

  headers(path: string): Record<string, string> {
    const sent = [...this.#cookies.values()]
      .filter((cookie) => `${path}/`.startsWith(cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`))
      .map(({ pair }) => pair);
    return sent.length === 0 ? {} : { cookie: sent.join('; ') };
  }
}
