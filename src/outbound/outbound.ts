import { parseAddress } from '../lib/address.ts';
import type { Clock } from '../lib/clock.ts';
import type { OutboundAnswer, OutboundCall } from '../spi/index.ts';
import { createAddressGuard } from './address-guard.ts';
import { readText } from './body.ts';
import { OutboundError } from './error.ts';
import { readRequest } from './request.ts';
import { withinTime } from './time-limit.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

export interface OutboundParts {
  readonly wire: Wire;
  /** Ranges, addresses and names of hosts that may be reached although they are not public. */
  readonly allow: readonly string[];
  readonly clock: Clock;
}

export type Outbound = (call: OutboundCall) => Promise<OutboundAnswer>;

/** The one way to an address that somebody else has written. */
export function createOutbound({ wire, allow, clock }: OutboundParts): Outbound {
  const guard = createAddressGuard(allow);

  /** Where it may connect. Undefined: wherever the name leads. */
  async function addressesOf({ url }: WireRequest, signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (parseAddress(host)) return guard(host, [host]);
    if (!wire.resolve) return isLocalhost(host) ? guard(host, ['127.0.0.1']) : [undefined];
    return guard(host, await resolved(host, wire.resolve(host, signal)));
  }

  async function send(call: OutboundCall, request: WireRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const addresses = call.trusted === true ? [undefined] : await addressesOf(request, signal);
    for (const [index, address] of addresses.entries()) {
      try {
        const answer = await wire.send(address, request, signal);
        const text = await readText(answer, call);
        return answered(answer, text, address);
      } catch (error) {
        const told = error instanceof OutboundError ? error : new OutboundError('answer', 'Expected an answer', error);
        // Nothing has been sent yet, so another machine of that name may be asked instead.
        if (told.kind !== 'connect' || index === addresses.length - 1) throw told;
      }
    }
    throw new OutboundError('connect', 'Expected an address to connect to');
  }

  return async (call) => {
    const request = readRequest(call);
    return withinTime(clock, call.timeout, call.signal, (signal) => send(call, request, signal));
  };
}

/** By its very name, whatever a resolver would say (RFC 6761). */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost\.?$/.test(host);

/** A name that nobody knows is a name that nobody has looked at: the call ends here. */
async function resolved(host: string, answer: Promise<readonly string[]>): Promise<readonly string[]> {
  const addresses = await answer.catch((error: unknown) => {
    throw new OutboundError('dns', `Expected a name that can be resolved: "${host}"`, error);
  });
  if (addresses.length === 0) throw new OutboundError('dns', `Expected a name that has an address: "${host}"`);
  return addresses;
}

function answered(answer: WireAnswer, text: string, pinned: string | undefined): OutboundAnswer {
  const { status, headers, address = pinned } = answer;
  return { status, headers, text, ...(address === undefined ? {} : { address }) };
}
