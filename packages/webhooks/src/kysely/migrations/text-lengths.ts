/** Lengths of the texts that are looked up; the engine refuses longer ones. */
export const MAX_EVENT_CHARACTERS = 128;
export const MAX_KEY_CHARACTERS = 255;
export const MAX_NAME_CHARACTERS = 80;
export const MAX_UID_CHARACTERS = 255;
export const MAX_TENANT_CHARACTERS = 64;
export const MAX_TOKEN_CHARACTERS = 64;
/** A dispatch's id has 40. */
export const MAX_ID_CHARACTERS = 64;
/** A timestamp has 24. */
export const MAX_TIME_CHARACTERS = 32;
/** A `traceparent` has 55. */
export const MAX_TRACE_CHARACTERS = 55;
