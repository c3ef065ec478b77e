import { VisibleText } from './visible-text.tsx';

/** The characters of a URL's end that stay visible. */
const MAX_TAIL_LENGTH = 28;

/** A URL on one line. If it is too long for its place, its middle is left out. */
export function WebhookUrl({ url }: { readonly url: string }) {
  const cut = url.length - tailLengthOf(url);
  return (
    <span className="webhook-url">
      <span>
        <VisibleText text={url.slice(0, cut)} />
      </span>
      <span>
        <VisibleText text={url.slice(cut)} />
      </span>
    </span>
  );
}

/** The last segment of the path, with its query; none if that is too long. */
function tailLengthOf(url: string): number {
  const origin = url.indexOf('/', url.indexOf('//') + 2);
  const length = url.length - url.lastIndexOf('/');
  return origin === -1 || url.length - length <= origin || length > MAX_TAIL_LENGTH ? 0 : length;
}
