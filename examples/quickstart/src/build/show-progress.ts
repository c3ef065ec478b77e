/** The members of an output stream that are used. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const TURN_MS = 200;
const LINE_EVERY_MS = 10_000;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Shows that work goes on: on a terminal one line that turns and counts the seconds, elsewhere a
 * line at the start and every 10 s.
 *
 * @returns the function that ends it with a last line
 */
export function showProgress(output: ProgressOutput, work: string): (result: string) => void {
  const isTerminal = output.isTTY === true;
  const startedAt = performance.now();
  let turns = 0;
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    if (isTerminal) {
      output.write(`${CLEAR_LINE}${FRAMES[turns % FRAMES.length]} ${work}: ${seconds} s, usually 20 to 50 s`);
    } else {
      output.write(
        turns === 0 ? `${work}. This usually takes 20 to 50 s.\n` : `Still building after ${seconds} s.\n`,
      );
    }
    turns += 1;
  };
  show();
  const interval = setInterval(show, isTerminal ? TURN_MS : LINE_EVERY_MS);
  return (result) => {
    clearInterval(interval);
    output.write(isTerminal ? `${CLEAR_LINE}${result}\n` : `${result}\n`);
  };
}
