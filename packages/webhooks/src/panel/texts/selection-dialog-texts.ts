/** The dialog that says what an action on the selection would do, does it, and reports. */
export const SELECTION_DIALOG_TEXTS = {
  pauseQuestion: 'Pause the selected webhooks?',
  pauseWould: { one: '{count} webhook would be paused', other: '{count} webhooks would be paused' },
  pauseDone: { one: '{count} webhook is paused', other: '{count} webhooks are paused' },
  pauseUnchanged: { one: '{count} is paused already', other: '{count} are paused already' },
  pauseConfirm: { one: 'Pause {count}', other: 'Pause {count}' },
  activateQuestion: 'Activate the selected webhooks?',
  activateWould: { one: '{count} webhook would be activated', other: '{count} webhooks would be activated' },
  activateDone: { one: '{count} webhook is active again', other: '{count} webhooks are active again' },
  activateUnchanged: { one: '{count} is active already', other: '{count} are active already' },
  activateConfirm: { one: 'Activate {count}', other: 'Activate {count}' },
  deleteQuestion: 'Delete the selected webhooks?',
  deleteAdvice:
    'They stop receiving events, and their entire delivery history is deleted. This cannot be undone. To stop them temporarily, pause them instead.',
  deleteWould: { one: '{count} webhook would be deleted', other: '{count} webhooks would be deleted' },
  deleteDone: { one: '{count} webhook is deleted', other: '{count} webhooks are deleted' },
  deleteConfirm: { one: 'Delete {count}', other: 'Delete {count}' },
  redeliverQuestion: 'Send the selected deliveries again?',
  redeliverWould: {
    one: '{count} delivery would be sent again, under the same id',
    other: '{count} deliveries would be sent again, under the same ids',
  },
  redeliverDone: {
    one: '{count} delivery is on its way again',
    other: '{count} deliveries are on their way again',
  },
  redeliverConfirm: { one: 'Send {count} again', other: 'Send {count} again' },
  newestOnly: {
    one: 'Only the newest {count} of them is sent again now. Older ones stay failed.',
    other: 'Only the newest {count} of them are sent again now. Older ones stay failed.',
  },
  notReached: {
    one: '{count} was not reached in time',
    other: '{count} were not reached in time',
  },
  refused: { one: '{count} is refused. {reason}', other: '{count} are refused. {reason}' },
  result: 'Result',
  stillSelected: 'What was not done is still selected.',
  checking: 'Finding out how many',
  doing: 'Under way',
  stop: 'Stop',
  notChecked: 'That could not be checked',
} as const;
