import type { CredentialsMatcher, SecretText } from '../../src/spi/index.ts';

/**
 * A matcher that tells beforehand whether it can ever match a stored text. So a damaged hash is a finding at start, and
 * not a login that fails for ever. A realm that knows its passwords at start asks it.
 */
export interface CheckingMatcher extends CredentialsMatcher {
  /** Defect of the stored text, without quoting it. Undefined: none. */
  defect(stored: SecretText): string | undefined;
}
