/** A statement of every kind, and every table: what other names, or a host's plugins, can break. */
export const CASES_OF_NAMES = [
  'returns and finds a created webhook as it was given, without its secret',
  'searches URL, name and description for the text itself, ASCII letters in any case',
  'removes a webhook with its patterns and deliveries, and nothing of any other',
  'counts health from the hour asked for, by the time of creation',
  'passes each run to a step, and keeps what it returns',
  'tells idempotency keys apart by tenant, in one group and one after the other',
  'hands out a due delivery with all that an attempt needs',
  'leaves out the deliveries of a webhook that pauses, until the end, and of no other',
  'ends a delivery with its result',
  'reopens the oldest failed first, none created before the time asked for, at most the limit',
  'finds deliveries by status, event, error, HTTP status and time, and by all of them',
  'removes at most the limit, and fewer only when nothing is left',
];

/** What connections may do besides. */
export const CASES_OF_CONNECTIONS = [
  "writes nothing, no key either, when the host's transaction rolls back",
  'writes a key once, and takes a result once, from two processes',
];

/** What a character set or a mode of the session can damage: texts, comparisons, times, sums, lists. */
export const CASES_OF_SETTINGS = [
  'keeps texts as they are: quotes, wildcards, placeholders, every script, at their greatest length',
  'takes a pattern given twice, and shows it as given',
  'searches URL, name and description for the text itself, ASCII letters in any case',
  'compares patterns by their bytes: no case folding, no wildcards, no padding',
  'tells tenants apart by their bytes, in dispatches, lists and keys',
  'tells keys apart by event and by their bytes',
  'keeps payloads exactly, up to 256 KiB and in every script',
  'keeps what the recipient said exactly, and the whole log',
  'counts how the deliveries of each webhook ended, and knows its last success and failure',
  'sorts those that are down by whether something waits, and by since when they are',
  'gives a claim every webhook with something due to choose from, counted where all of it fits',
  'reopens each failed delivery once from place to place, those that fail again meanwhile included',
];
