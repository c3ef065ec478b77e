/** How a webhook's attempt ended, as far as its next ones depend on it. */
export interface AttemptEnd {
  readonly isSuccess: boolean;
  /** Whether the recipient gave any status. */
  readonly isAnswered: boolean;
  readonly isTimeout: boolean;
}
