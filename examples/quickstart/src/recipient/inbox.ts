/** One request that arrived at a hook. */
export interface Arrival {
  readonly at: string;
  /** The hook's name: the end of its URL. */
  readonly hook: string;
  /** `verified`, or the code of the error that `verify` threw. */
  readonly signature: string;
  /** The answer of the hook. */
  readonly status: number;
  /** True if a delivery with this id was done before: nothing was done again. */
  readonly isRepeat: boolean;
  /** The body as received. Nothing in it can be trusted unless the signature was verified. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The requests that arrived lately, newest last. */
export interface Inbox {
  add(arrival: Arrival): void;
  list(): readonly Arrival[];
}

const MAX_ARRIVALS = 500;

export function createInbox(): Inbox {
  const arrivals: Arrival[] = [];
  return {
    add(arrival) {
      arrivals.push(arrival);
      if (arrivals.length > MAX_ARRIVALS) arrivals.shift();
    },
    list: () => [...arrivals],
  };
}
