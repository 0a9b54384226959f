import type { Account, StorageAddress, TranscodeOrder } from '../spi/index.ts';
import type { ElementExample } from './action/subject.ts';
import type { Knows } from './credentials.ts';
import type { FilterCase } from './filter/subject.ts';
import type { Backend } from './host.ts';
import type { MediaExample } from './media/example.ts';

/**
 * How one component of a plugin is tried: what the suites cannot guess. A plugin's module exports a list of these as
 * `examples` beside the plugin itself.
 */
export interface PluginExample {
  /** Its class name. */
  readonly component: string;
  /** Properties as security.ini has them after the equals sign, by name: `timeout: '5s'`, `'inner.size': '3'`. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Lines of `[main]` that stand before, for objects that a property refers to. */
  readonly main?: readonly string[];
  /** Of a realm: somebody whom it lets in. Of a matcher: a password, with `stored`. */
  readonly knows?: Knows;
  /** Of a matcher: what is stored of that password. */
  readonly stored?: string;
  /** What it asks over `host.fetch` or `host.call`, as it answers when all is well. */
  readonly backend?: Backend;
  /** Of a realm: users in the database of the service with their passwords. */
  readonly serviceUsers?: Readonly<Record<string, string>>;
  /** Of a filter: requests, and what it says to them. */
  readonly cases?: readonly FilterCase[];
  /** Of a filter: any word may stand in its brackets. */
  readonly freeWords?: boolean;
  /** Of a provider or a listener: accounts as the realm beside it describes them. */
  readonly accounts?: readonly Account[];
  /** Of an action: what notifications say that it carries out. */
  readonly elements?: readonly ElementExample[];
  /** Of a storage scheme: addresses of places that are empty, or that hold `holds`: another one for each number. */
  readonly places?: (number: number) => StorageAddress;
  /** Of a storage scheme whose drivers cannot write: what each place holds, by path. */
  readonly holds?: Readonly<Record<string, string | Uint8Array>>;
  /** Of a prober: files that it knows. Of a transcoder: files that it makes other forms of. */
  readonly media?: readonly MediaExample[];
  /** Of a transcoder: what it carries out with them. */
  readonly orders?: readonly TranscodeOrder[];
}

export type PluginExamples = readonly PluginExample[];
