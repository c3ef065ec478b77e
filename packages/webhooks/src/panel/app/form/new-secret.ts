/** A signing secret that was just created. */
export interface NewSecret {
  readonly title: string;
  readonly url: string;
  readonly secret: string;
  /** A note that is shown with it. */
  readonly note?: string;
  /** The page to go to once the user has stored it. Default: the current one. */
  readonly next?: string;
}
