import type { CheckResult } from '../../../src/kit/testing/index.ts';

/** The promises that are broken, by name. */
export const broken = (results: readonly CheckResult[]): string[] =>
  results.filter(({ passed }) => !passed).map(({ name }) => name);

/** The same with their explanations: what a test expects to be empty. */
export const explained = (results: readonly CheckResult[]): string[] =>
  results.filter(({ passed }) => !passed).map(({ name, explanation }) => `${name}. ${explanation}`);
