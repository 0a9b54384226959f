/** Result of one promise of the contract. */
export interface CheckResult {
  /** Promise as a statement about the subject: "lets no unknown user in". */
  readonly name: string;
  readonly passed: boolean;
  /** Reason of the failure: the expectation, then a colon and the actual value. */
  readonly explanation?: string;
}

/** Creates the error for a broken promise. */
export class Broken extends Error {}

export function broken(expected: string, actual: string): never {
  throw new Broken(`Expected ${expected}: ${actual}`);
}

/** Promises by their names. One that ends without throwing is kept. */
export type Promises = Readonly<Record<string, () => Promise<void> | void>>;

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const namesOn = () => prototypes.map((prototype) => new Set(Reflect.ownKeys(prototype)));

/** Runs the promises in sequence, so that side effects can be attributed, and undone before the next promise. */
export async function inspect(promises: Promises): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const polluted = new Set<string>();
  for (const [name, keep] of Object.entries(promises)) {
    const before = namesOn();
    results.push(await outcomeOf(name, keep));
    for (const added of restore(before)) polluted.add(added);
  }
  const names = [...polluted].join(', ');
  const alone = 'leaves the prototypes of the language alone';
  results.push(
    polluted.size === 0
      ? { name: alone, passed: true }
      : { name: alone, passed: false, explanation: `Expected nothing new on Object.prototype and its like: ${names}` },
  );
  return results;
}

async function outcomeOf(name: string, keep: () => Promise<void> | void): Promise<CheckResult> {
  try {
    await keep();
    return { name, passed: true };
  } catch (error) {
    const explanation = error instanceof Broken ? error.message : `Expected no error: ${errorSentence(error)}`;
    return { name, passed: false, explanation };
  }
}

function restore(before: readonly ReadonlySet<string | symbol>[]): string[] {
  return prototypes.flatMap((prototype, index) =>
    Reflect.ownKeys(prototype)
      .filter((key) => !before[index]!.has(key))
      .map((key) => {
        Reflect.deleteProperty(prototype, key);
        return String(key);
      }),
  );
}

export const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The first line of what was thrown, whatever it was. */
export function errorSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.slice(0, 300) || 'an error without a message';
}

/** A text as it may stand in an explanation. */
export const quoteText = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);

/** For explanations: what an answer is, in one line. */
export function showValue(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 120);
  } catch {
    return 'something that cannot be written as JSON';
  }
}
