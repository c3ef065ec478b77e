/** A signing secret that was just made. */
export interface NewSecret {
  readonly title: string;
  readonly url: string;
  readonly secret: string;
  /** What else to know about it. */
  readonly note?: string;
  /** The page to go to once it is stored; left out: none. */
  readonly next?: string;
}
