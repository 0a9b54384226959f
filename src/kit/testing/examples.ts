import type { Account, StorageAddress, TranscodeOrder } from '../../spi/index.ts';
import type { ElementExample } from './check-action.ts';
import type { MediaExample } from './check-prober.ts';
import type { Knows } from './credentials.ts';
import type { FilterCase } from './filter-trial.ts';
import type { Backend } from './host.ts';

/**
 * Example for testing a component of a plugin. A plugin's module exports a list of these as `examples` beside the
 * plugin itself.
 */
export interface PluginExample {
  /** Class name of the component. */
  readonly component: string;
  /** Properties in the syntax of security.ini, by name: `timeout: '5s'`, `'inner.size': '3'`. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Preceding lines of `[main]`, for objects that a property refers to. */
  readonly main?: readonly string[];
  /** For a realm: valid credentials. For a matcher: a password that matches `stored`. */
  readonly knows?: Knows;
  /** For a matcher: the stored form of the password. */
  readonly stored?: string;
  /** Normal answers of the network to `host.fetch` and `host.call`. */
  readonly backend?: Backend;
  /** For a realm: users of the service's database with their passwords. */
  readonly serviceUsers?: Readonly<Record<string, string>>;
  /** For a filter: requests with the expected verdicts. */
  readonly cases?: readonly FilterCase[];
  /** For a filter: whether it accepts any words in its brackets. */
  readonly freeWords?: boolean;
  /** For a provider or a listener: accounts as described by a realm. */
  readonly accounts?: readonly Account[];
  /** For an action: supported elements. */
  readonly elements?: readonly ElementExample[];
  /**
   * For a storage scheme: addresses of locations that are empty or contain `holds`. Each number gives another location.
   */
  readonly places?: (number: number) => StorageAddress;
  /** For a storage scheme with read-only drivers: content of each location, by path. */
  readonly holds?: Readonly<Record<string, string | Uint8Array>>;
  /** For a prober: files of known formats. For a transcoder: input files. */
  readonly media?: readonly MediaExample[];
  /** For a transcoder: orders to run with the media. */
  readonly orders?: readonly TranscodeOrder[];
}

export type PluginExamples = readonly PluginExample[];
