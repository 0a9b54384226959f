import { parseAddress } from '../lib/address.ts';
import type { Clock } from '../lib/clock.ts';
import type { OutboundAnswer, OutboundCall } from '../spi/index.ts';
import { createAddressGuard } from './address-guard.ts';
import { readText } from './body.ts';
import { OutboundError, type OutboundErrorKind } from './error.ts';
import { createNames } from './names.ts';
import { readRequest } from './request.ts';
import { withinTime } from './time-limit.ts';
import type { Wire, WireRequest } from './wire.ts';

export interface OutboundParts {
  readonly wire: Wire;
  /** Ranges, addresses and names of hosts that may be reached although they are not public. */
  readonly allow: readonly string[];
  readonly clock: Clock;
  /** Is told how each call ended. */
  count?(outcome: 'answered' | OutboundErrorKind): void;
}

export type Outbound = (call: OutboundCall) => Promise<OutboundAnswer>;

/** Milliseconds for a connection while the name has another address that could be tried. */
const connectLimit = 1_000;

/** The one way to an address that somebody else has written. */
export function createOutbound({ wire, allow, clock, count }: OutboundParts): Outbound {
  const permitted = createAddressGuard(allow);
  const names = wire.resolve && createNames(wire.resolve, clock);

  /** Where it may connect. Undefined: wherever the name leads. */
  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    if (parseAddress(host)) return permitted(host, [host]);
    if (names) return permitted(host, await names.addressesOf(host, signal));
    return isLocalhost(host) ? permitted(host, ['127.0.0.1']) : [undefined];
  }

  async function send(call: OutboundCall, request: WireRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const host = request.url.hostname.replace(/^\[|\]$/g, '');
    const addresses = call.trusted === true ? [undefined] : await addressesOf(host, signal);
    for (const address of addresses) {
      // Whoever waited for the name may have left.
      signal.throwIfAborted();

      const isLast = address === addresses.at(-1);
      try {
        const answer = await wire.send(address, isLast ? request : { ...request, connectLimit }, signal);
        const { status, headers, address: reached = address } = answer;
        const text = await readText(answer, call);
        return { status, headers, text, ...(reached === undefined ? {} : { address: reached }) };
      } catch (error) {
        const told =
          error instanceof OutboundError
            ? error
            : new OutboundError('answer', `Expected a whole answer from "${host}"`, error);
        if (told.kind !== 'connect') throw told;
        if (isLast || address === undefined) {
          names?.forget(host);
          throw told;
        }
        // Nothing has been sent, so another machine of that name may be asked instead.
        names?.leaveOut(host, address);
      }
    }
    throw new OutboundError('connect', `Expected an address of "${host}"`);
  }

  async function tried(call: OutboundCall): Promise<OutboundAnswer> {
    const request = readRequest(call);
    return withinTime(clock, call.timeout, call.signal, (signal) => send(call, request, signal));
  }

  return async (call) => {
    try {
      const answer = await tried(call);
      count?.('answered');
      return answer;
    } catch (error) {
      count?.((error as OutboundError).kind);
      throw error;
    }
  };
}

/** By its very name, whatever a resolver would say (RFC 6761). */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost\.?$/.test(host);
