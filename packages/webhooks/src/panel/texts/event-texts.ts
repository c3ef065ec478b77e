/** The choice of events in the form. */
export const EVENT_TEXTS = {
  events: 'Events',
  eventsAdvice: 'Which events are sent to this address?',
  all: 'All events, those added later included',
  some: 'Only the events I choose',
  none: 'Choose at least one event.',
  nothingChosen: 'Nothing chosen yet.',
  chosen: { one: '{count} pattern chosen:', other: '{count} patterns chosen:' },
  remove: 'Remove {pattern}',
  loading: 'The events are loading',
  notLoaded: 'The list of events could not be loaded',
  find: 'Find an event',
  notFound: 'No known event has this in its name. You can add it as a pattern below.',
  group: 'All {entity} events {pattern}',
  custom: 'Another event or pattern',
  customAdvice:
    'An exact name such as order.created, or a prefix such as order.* for all that begins with it',
  add: 'Add',
  alreadyChosen: 'This pattern is already chosen.',
  matches: { one: 'Matches {count} known event.', other: 'Matches {count} known events.' },
  noMatch:
    'No known event matches. That is fine for an event that is not listed; otherwise check the spelling.',
  tooLong: 'At most {max} characters.',
  noSpaces: 'No spaces. Add one pattern at a time.',
  starPlace: 'A star stands alone, or at the end after a dot: order.*',
  characters: 'Letters, digits, _ and - in parts joined by dots: order.created',
  twoParts: 'An event has at least two parts. Do you mean {pattern} ?',
} as const;
