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
  const problem: unknown = await response.json().catch(() => undefined);
  if (typeof problem !== 'object' || problem === null || !('code' in problem)) {
    return new ApiError(response.status, 'unexpected');
  }
  const detail = 'detail' in problem && typeof problem.detail === 'string' ? problem.detail : '';
  const errors = 'errors' in problem && Array.isArray(problem.errors) ? problem.errors : [];
  const reopened = 'reopened' in problem ? Number(problem.reopened) : 0;
  return new ApiError(response.status, String(problem.code), detail, errors.filter(isFieldProblem), reopened);
}

function isFieldProblem(entry: unknown): entry is FieldProblem {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'field' in entry &&
    typeof entry.field === 'string' &&
    'code' in entry &&
    typeof entry.code === 'string' &&
    'message' in entry &&
    typeof entry.message === 'string' &&
    (!('max' in entry) || typeof entry.max === 'number')
  );
}
