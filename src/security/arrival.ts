import type { ServiceError } from '../core/lib/errors.ts';
import type { LogLevel } from '../core/lib/log.ts';
import { addressedOrigin, pageSite } from '../kit/index.ts';
import type { FilterRequest } from '../spi/index.ts';
import type { StoredCaller, Subject } from './subject.ts';

/** Access to a body while it arrives. */
export interface ArrivingBody {
  /** Whether all bytes have arrived. */
  isWhole(): boolean;
  /** Takes the bytes if that many have arrived and no reader has begun. The request has no body then. */
  take(length: number): Uint8Array<ArrayBuffer> | undefined;
  /**
   * Reads the bytes as they arrive: the body of the request copies each piece on its way. The request has no body then.
   * Undefined if a reader has begun.
   */
  open(): BodyReader | undefined;
  /** Extends the time limit: it counts from the last byte. */
  takesTime(): void;
}

export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/** Data of a platform about a request, beside the `Request`. Read on demand. */
export interface Arrival {
  /** Request target from the socket: `Request.url` has normalised it already. */
  readonly rawTarget?: string | undefined;
  readonly address?: string | undefined;
  /** Whether the request came over TLS. */
  readonly secure?: boolean | undefined;
  /** Whether the request lacks the header, in lower case. Undefined if that costs as much as reading it. */
  lacks?(header: string): boolean;
  /** Undefined without a body, and if the runtime itself tells who reads it. */
  readonly body?: ArrivingBody | undefined;
  /** Why the parser of the platform could not read the request. There is nothing but this then. */
  readonly refusal?: ServiceError | undefined;
  /** The service itself sends a request that it kept for this caller, or runs a command. No filter asks who it is. */
  readonly as?: StoredCaller | Subject | undefined;
  /** Whether a trusted proxy forwarded the request for another client. */
  readonly isForwarded?: boolean | undefined;
  /** Level of its line in the log. Without one: `info`. */
  readonly level?: LogLevel | undefined;
}

/** Person without an account, who came in by a share. */
export interface Guest {
  /** Id of the share. */
  readonly share: string;
  /** Name that the guest gave. */
  readonly name: string | undefined;
  /** Upload in parts that the request begins or continues. */
  readonly upload?: string;
}

/** A header that most requests lack. */
export const headerOf = (headers: Headers, arrival: Arrival, name: string): string | null =>
  arrival.lacks?.(name) ? null : headers.get(name);

/** Request as seen by the pipeline, before there is a chain or a caller. */
export interface PipelineRequest
  extends Pick<FilterRequest, 'method' | 'path' | 'rawPath' | 'query' | 'headers' | 'authorization'> {
  readonly arrival: Arrival;
  /** Whether CORS lets pages of the origin of this request call the service. */
  readonly corsAllows?: boolean | undefined;
}

/**
 * Whether a page of another site sent the request, which CORS does not allow. Browsers add a user name and a password
 * that they remember to such requests, whatever their method.
 */
export function isOfOtherPage({ headers, arrival, corsAllows }: PipelineRequest): boolean {
  const isOfProgram = arrival.lacks?.('sec-fetch-site') && arrival.lacks('origin');
  if (isOfProgram || corsAllows) return false;
  return pageSite(headers, addressedOrigin(arrival.secure ?? false, headers)) === 'other';
}
