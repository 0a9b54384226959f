import type { Plugin } from '../../spi/index.ts';
import type { Finding } from './finding.ts';
import type { RegistryOptions } from './registry.ts';

/** Security input of a host: the text of a security.ini, and plugins. */
export interface SecurityInput {
  readonly text: string;
  /** Origin of the text, for findings. */
  readonly file: string;
  /** Plugins beside the built-in ones, in the order in which they were found. */
  readonly plugins: readonly Plugin[];
  /** Components named by file or package. */
  readonly direct?: Pick<RegistryOptions, 'loaded' | 'failed'>;
  /** Findings of plugins that could not be used. */
  readonly findings?: readonly Finding[];
}
