/** A request that arrived at a hook, before it is answered. */
export interface NewArrival {
  /** The hook's name: the end of its URL. */
  readonly hook: string;
  /** `verified`, or the code of the error that `verify` threw. */
  readonly signature: string;
  /** True if a delivery with this id was done before: nothing was done again. */
  readonly isRepeat: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The first 16,384 characters of the body. Nothing in it can be trusted unless the signature was
   * verified.
   */
  readonly body: string;
}

/** A request that arrived at a hook. */
export interface Arrival extends NewArrival {
  /** 1, 2, 3, … in the order of arrival. */
  readonly number: number;
  readonly at: string;
  /** The status of the answer. Null before it is sent, and 0 if the recipient hung up instead. */
  readonly status: number | null;
}

/** The requests that arrived lately, newest last. */
export interface Inbox {
  add(arrival: NewArrival): Arrival;
  /** Records the answer. Does nothing if the arrival is not kept any more. */
  answered(number: number, status: number): void;
  list(): readonly Arrival[];
}

const MAX_ARRIVALS = 100;

/** What is kept of a body: the page of the demo reads the whole inbox every second. */
const MAX_KEPT_CHARACTERS = 16_384;

export function createInbox(): Inbox {
  const arrivals: Arrival[] = [];
  let lastNumber = 0;
  return {
    add(arrival) {
      lastNumber += 1;
      const body = arrival.body.slice(0, MAX_KEPT_CHARACTERS);
      const added = { ...arrival, body, number: lastNumber, at: new Date().toISOString(), status: null };
      arrivals.push(added);
      if (arrivals.length > MAX_ARRIVALS) arrivals.shift();
      return added;
    },
    answered(number, status) {
      const index = arrivals.findIndex((arrival) => arrival.number === number);
      const arrival = arrivals[index];
      if (arrival !== undefined) arrivals[index] = { ...arrival, status };
    },
    list: () => [...arrivals],
  };
}
