export { betweenPolls } from './between-polls.ts';
export { goToLogin, readReturnTo } from './return-to.ts';
export { type StatusPoll, type StatusPollOptions, startStatusPoll } from './start-status-poll.ts';
export type { SessionStatus } from './status-answer.ts';
