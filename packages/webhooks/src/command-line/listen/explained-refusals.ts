import type { SignedRequest } from '../scheme-check.ts';
import { explain } from '../verify/diagnosis.ts';

/**
 * The largest body whose signature is explained: the search for a mistake reads it hundreds of
 * times.
 */
const MAX_EXPLAINED_BYTES = 65_536;

const SKIPPED = 'The reason was not looked for';

/**
 * Explains refused requests one at a time. A search costs thousands of times what refusing costs,
 * so requests that come in during one, and large ones, are refused without.
 */
export function explainedRefusals(): (request: SignedRequest, secrets: readonly string[]) => Promise<string> {
  let isBusy = false;
  return async (request, secrets) => {
    if (request.body.length > MAX_EXPLAINED_BYTES) {
      return `${SKIPPED}: the body has more than ${MAX_EXPLAINED_BYTES} bytes. The command verify looks for it.`;
    }
    if (isBusy) return `${SKIPPED}: another request was being explained. The command verify looks for it.`;
    isBusy = true;
    try {
      return await explain(request, secrets);
    } finally {
      isBusy = false;
    }
  };
}
