/** Runs one step and prints one line about it: what was done, and what `run` says came back. */
export type Step = <T>(title: string, run: (say: (cameBack: string) => void) => Promise<T>) => Promise<T>;

/** Counts what held. */
export interface Steps {
  readonly step: Step;
  /** Runs steps that build on one another: the first that fails ends them, and the next chapter goes on. */
  chapter(title: string, run: () => Promise<void>): Promise<void>;
  readonly counts: () => { readonly held: number; readonly failed: number };
}

/** A step that failed has been printed: what is left to do is to end its chapter. */
class StepFailed extends Error {}

export function createSteps(print: (line: string) => void): Steps {
  let held = 0;
  let failed = 0;

  return {
    async step(title, run) {
      const number = String(held + failed + 1).padStart(2);
      const said: string[] = [];
      try {
        const result = await run((cameBack) => said.push(cameBack));
        held += 1;
        print(`${number}  ok      ${title}: ${said.join('; ')}`);
        return result;
      } catch (error) {
        failed += 1;
        const seen = said.map((text) => `${text}; `).join('');
        print(
          `${number}  FAILED  ${title}: ${seen}${error instanceof Error ? error.message : String(error)}`,
        );
        throw new StepFailed();
      }
    },
    async chapter(title, run) {
      print(`\n${title}`);
      try {
        await run();
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
        print('            The steps that build on it were not tried.');
      }
    },
    counts: () => ({ held, failed }),
  };
}
