import type { AttemptResult } from '../dialect.ts';

/** Results as one parameter, which the database takes for a table: a group is one statement, however many it has. */
export function resultJson(results: readonly AttemptResult[]): string {
  return JSON.stringify(
    results.map(({ id, claimToken, status, statusCode, responseBody, error, attemptLog, retryInMs }) => ({
      delivery: id,
      token: claimToken,
      new_status: status,
      new_status_code: statusCode,
      new_response_body: responseBody,
      new_error: error,
      new_attempt_log: attemptLog,
      retry_in_ms: retryInMs,
    })),
  );
}

/** A row of {@link resultJson}. */
export interface ResultRow {
  delivery: number;
  token: string;
  new_status: AttemptResult['status'];
  new_status_code: number;
  new_response_body: string;
  new_error: string;
  new_attempt_log: string;
  retry_in_ms: number;
}
