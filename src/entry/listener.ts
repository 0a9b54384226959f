import type { Settings } from '../composition/settings.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Arrival } from '../security/arrival.ts';

export interface Listener {
  readonly port: number;
  stop(milliseconds: number): Promise<void>;
}

export type Fetch = (request: Request, arrival: Arrival) => Maybe<Response>;

interface ListenOptions extends Pick<Settings, 'host' | 'port' | 'requestTimeout'> {
  /** Absent: the default of the setting. */
  readonly maxHeaderBytes?: number;
  /** Whether other processes listen on the same port. Only Deno has to know. */
  readonly shared?: boolean;
}

/** Binds a port and answers every request with `fetch`. */
export type Listen = (fetch: Fetch, options: ListenOptions) => Promise<Listener>;
