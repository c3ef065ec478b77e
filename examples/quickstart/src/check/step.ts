/** Runs one step and prints one line about it: its title, and the result that `run` returns. */
export type Step = <T>(title: string, run: (say: (cameBack: string) => void) => Promise<T>) => Promise<T>;

/** Counts the steps that passed. */
export interface Steps {
  readonly step: Step;
  /**
   * Runs steps that depend on one another. The first that fails ends them, and the check continues
   * with the next chapter.
   */
  chapter(title: string, run: () => Promise<void>): Promise<void>;
  readonly counts: () => { readonly held: number; readonly failed: number };
}

/** The failed step has been printed already, so it only ends its chapter. */
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
