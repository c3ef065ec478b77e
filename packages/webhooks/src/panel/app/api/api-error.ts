/** One refused field. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** The bound of what is too big. */
  readonly max?: number;
}

/**
 * Why a request to the API failed. `code` is that of its problem details (RFC 9457), or one of
 * `unreachable` (no answer came), `unexpected` (the answer is not the API's) and `session_ended`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 if no answer came. */
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** How many deliveries a recovery had scheduled before it failed. */
  readonly reopened: number;

  constructor(status: number, code: string, detail = '', fields: readonly FieldProblem[] = [], reopened = 0) {
    super(detail);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.reopened = reopened;
  }
}

/** True if the request may have succeeded although its answer was lost or replaced by another. */
export function isAnswerLost(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unexpected');
}

export function isSessionEnded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'session_ended';
}

/**
 * Reads an error response. One without the API's problem details, such as a proxy's page, is
 * `unexpected`.
 */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { code, detail, errors, reopened = 0 } = Object(await response.json().catch(() => undefined));
  if (code === undefined) return new ApiError(response.status, 'unexpected');
  const text = typeof detail === 'string' ? detail : '';
  const fields = Array.isArray(errors) ? errors.filter(isFieldProblem) : [];
  return new ApiError(response.status, String(code), text, fields, Number(reopened));
}

function isFieldProblem(entry: unknown): entry is FieldProblem {
  const { field, code, message, max = 0 } = Object(entry);
  return [field, code, message].every((part) => typeof part === 'string') && typeof max === 'number';
}
