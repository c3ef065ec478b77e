/** What is selected in a list, and the actions on it. */
export const SELECTION_TEXTS = {
  label: 'Selection',
  selectOne: 'Select {name}',
  selectPage: 'Select page',
  count: { one: '{count} selected', other: '{count} selected' },
  full: '{count} selected, the most at once',
  way: '(Shift+Tab from the table leads here)',
  clear: 'Clear',
  pause: 'Pause',
  activate: 'Activate',
  delete: 'Delete',
  redeliver: 'Send again',
} as const;
