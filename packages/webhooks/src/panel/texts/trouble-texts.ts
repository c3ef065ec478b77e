/** Why a webhook is paused, and what the engine does about a recipient that fails or is slow. */
export const TROUBLE_TEXTS = {
  pausedGone:
    'It was paused automatically: the recipient answered 410, “gone for good”. Check the URL before you activate it.',
  pausedFailing:
    'It was paused automatically: no delivery succeeded for too long. Find the reason in the history below, then activate it and recover the failed deliveries.',
  paused: 'It receives no events. Events that happen while it is paused are not kept for it.',
  down: 'No delivery has succeeded since {time}.',
  disables: 'Unless one succeeds before, the webhook is paused automatically {time}.',
  busySince: 'The recipient is busy and has asked to wait since {time}.',
  busy: 'The next delivery is sent {time}. What has waited for a day ends as failed, and can be recovered.',
  slow: {
    one: 'Its last attempt got no answer or took longer than a second. It gets {slots} of {count} attempt at once.',
    other:
      'Its last attempt got no answer or took longer than a second. It gets {slots} of {count} attempts at once.',
  },
} as const;
