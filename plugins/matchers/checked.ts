import type { CredentialsMatcher, SecretText } from '../../src/spi/index.ts';

/**
 * A matcher that tells beforehand whether it can ever match a stored text. So a damaged hash is a finding at start, and
 * not a login that fails for ever. A realm that knows its passwords at start asks it.
 */
export interface CheckingMatcher extends CredentialsMatcher {
  /** What is wrong with the stored text, without a word of it; undefined when nothing is. */
  defect(stored: SecretText): string | undefined;
}
