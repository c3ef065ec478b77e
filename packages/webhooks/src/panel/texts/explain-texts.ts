/** The answer to "Who gets an event, and who does not?" below the list. */
export const EXPLAIN_TEXTS = {
  title: 'Who gets an event, and who does not?',
  lead: 'A system did not get what you expected? Enter the event, and see the reason for every webhook.',
  event: 'Event name',
  explain: 'Explain',
  noName: 'Enter the name of an event, such as user.created',
  noStar: 'Enter one event, without a star',
  failed: 'It could not be explained',
  loading: 'Loading',
  unknownTitle: 'No event of this name is known',
  unknown:
    'It is sent nevertheless if the application dispatches it under exactly this name. Check the spelling, including upper and lower case.',
  onlyFound: 'Only webhooks that the search above finds: {search}.',
  noneFound: 'The search above finds no webhook: {search}.',
  webhooks: 'Webhooks and {event}',
  pages: 'Pages of the explanation',
  getsIt: 'Gets it',
  doesNot: 'Does not',
  matches: 'Its pattern {patterns} matches.',
  matchesPaused: 'Its pattern {patterns} matches, but it is paused. Activate it.',
  noMatch: 'None of its patterns matches: {patterns}. Edit it and add the event.',
  noMatchPaused: 'None of its patterns matches: {patterns}. Edit it and add the event. It is paused, too.',
} as const;
