import type { Answer } from '../recipient/answers.ts';

/** What the page can make the recipient do. */
export interface RecipientMode {
  readonly name: string;
  readonly label: string;
  /** What then happens, for the person at the page. */
  readonly effect: string;
  /** Undefined lets the recipient accept. */
  readonly answer: Answer | undefined;
}

const SLOW_SECONDS = 4;

const WORKS: RecipientMode = {
  name: 'works',
  label: 'Works',
  effect: 'It verifies each request and answers 200.',
  answer: undefined,
};

export const RECIPIENT_MODES: readonly RecipientMode[] = [
  WORKS,
  {
    name: 'fails',
    label: 'Fails',
    effect: 'It answers 503. The app tries again, each time after a longer wait.',
    answer: { status: 503 },
  },
  {
    name: 'slow',
    label: 'Is slow',
    effect: `It takes ${SLOW_SECONDS} s for each answer. Nobody in the shop waits for it.`,
    answer: { status: 200, delaySeconds: SLOW_SECONDS },
  },
  {
    name: 'hangs-up',
    label: 'Hangs up',
    effect: 'It closes the connection without an answer. The app tries again, as after a 503.',
    answer: { status: 0 },
  },
];

/** Returns the mode that makes this answer; one that none makes counts as a failure. */
export function modeOf(answer: Answer | undefined): RecipientMode {
  const isSame = (mode: RecipientMode) =>
    mode.answer?.status === answer?.status && mode.answer?.delaySeconds === answer?.delaySeconds;
  return RECIPIENT_MODES.find(isSame) ?? RECIPIENT_MODES[1] ?? WORKS;
}
