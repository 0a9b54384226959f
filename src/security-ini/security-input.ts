import type { Plugin } from '../spi/index.ts';
import type { Finding } from './finding.ts';
import type { RegistryOptions } from './registry.ts';

/** What a host brings for the security of a service: the text of a security.ini and the plugins that were found. */
export interface SecurityInput {
  readonly text: string;
  /** For findings: where the text came from. */
  readonly file: string;
  /** Beside the shipped ones, in the order in which they were found. */
  readonly plugins: readonly Plugin[];
  /** Components that the text names by file or package. */
  readonly direct?: Pick<RegistryOptions, 'loaded' | 'failed'>;
  /** What is wrong with plugins that could not be used. */
  readonly findings?: readonly Finding[];
}
