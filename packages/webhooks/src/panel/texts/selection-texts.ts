/** What is selected in a list, and the actions on it. */
export const SELECTION_TEXTS = {
  label: 'Selection',
  selectOne: 'Select {name}',
  selectPage: 'Select page',
  count: { one: '{count} selected', other: '{count} selected' },
  full: '{count} selected, the most at once',
  all: 'Select all that match',
  allOf: { one: 'Select the {count} that matches', other: 'Select all {count} that match' },
  stop: 'Stop',
  notAll: 'Not all could be selected',
  way: '(Shift+Tab from the table leads here)',
  clear: 'Clear',
  pause: 'Pause',
  activate: 'Activate',
  delete: 'Delete',
  redeliver: 'Send again',
} as const;
