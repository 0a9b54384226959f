import type { OutboundAnswer, OutboundCall, OutboundStream, OutboundStreamCall } from '../../spi/index.ts';
import { isWithin, parseAddress, type Range, readTarget, withoutDot } from '../lib/address.ts';
import { Recent } from '../lib/cache.ts';
import type { Clock } from '../lib/clock.ts';
import { classify } from './ranges.ts';
import { readRequest, withTimeLimit } from './request.ts';
import { streamed } from './stream.ts';
import type { Wire, WireAnswer, WireConnection, WireRequest, WireTarget } from './wire.ts';
import { OutboundError, type OutboundErrorKind } from './wire.ts';

/** The setting that a refusal names. */
const setting = 'PORTICO_OUTBOUND_ALLOW';

interface AddressPolicy {
  /** The addresses of a host that the service may connect to. Throws `blocked` when no address is left. */
  permitted(host: string, addresses: readonly string[]): readonly string[];
  /** Why it may not connect to an address of a host. Undefined: it may. */
  refusal(host: string, address: string): string | undefined;
}

const noMetadata = (address: string): string => `Expected an address of no metadata service: ${address}`;

/** Permits public addresses and the entries of the list. Each entry opens itself and nothing else. */
function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges: Range[] = [];
  const names = new Set<string>();
  for (const entry of allow) {
    const target = readTarget(entry);
    if (target === undefined) throw new Error(`Expected a range, an address or a host name: "${entry}"`);
    if (typeof target === 'string') names.add(target);
    else ranges.push(target);
  }

  function refusal(host: string, text: string): string | undefined {
    const address = parseAddress(text);
    if (!address) return `Expected an address of "${host}" that can be read`;
    const { kind, says } = classify(address);
    const place = `"${text}" (${says})${host === text ? '' : ` of "${host}"`}`;
    if (kind === 'metadata') return noMetadata(place);
    if (kind === 'public' || names.has(host) || ranges.some((range) => isWithin(address, range))) return undefined;
    return `Expected an address that ${setting} lists: ${place}`;
  }

  function permitted(hostname: string, addresses: readonly string[]): readonly string[] {
    const host = withoutDot(hostname);
    const allowed: string[] = [];
    let why: string | undefined;
    for (const address of addresses) {
      const refused = refusal(host, address);
      if (refused === undefined) allowed.push(address);
      else why ??= refused;
    }
    if (allowed.length === 0) throw new OutboundError('blocked', why ?? `Expected an address: none of "${host}"`);
    return allowed;
  }

  return { permitted, refusal };
}

const rememberedFor = 10_000;
const max = 1_000;

/** The addresses of names, each looked up once for the calls of a few seconds. The address policy still checks remembered addresses at every call. */
interface Names {
  addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** No server answers at that address: calls try the other addresses first, until the next lookup of the name. */
  leaveOut(host: string, address: string): void;
  /** The next call looks the name up again. */
  forget(host: string): void;
}

function createNames(resolve: NonNullable<Wire['resolve']>, clock: Clock): Names {
  const cache = new Recent<string, readonly string[]>(max);

  return {
    async addressesOf(host, signal) {
      const remembered = cache.get(host, clock.now());
      if (remembered) return remembered;
      let addresses: readonly string[];
      try {
        addresses = await resolve(host, signal);
      } catch (error) {
        throw new OutboundError('dns', `Expected a name that can be resolved: "${host}"`, error);
      }
      // A name without an address is refused.
      if (addresses.length === 0) throw new OutboundError('dns', `Expected a name that has an address: "${host}"`);
      cache.set(host, addresses, clock.now() + rememberedFor);
      return addresses;
    },

    leaveOut(host, address) {
      const left = cache.get(host, clock.now())?.filter((each) => each !== address);
      if (left) cache.set(host, left, clock.now() + rememberedFor);
    },

    forget(host) {
      cache.delete(host);
    },
  };
}

/** The text of an answer, of which no more is ever read than that many bytes. */
export async function readAnswerText({ body }: WireAnswer, { mostBytes, longer }: OutboundCall): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let [text, left] = ['', mostBytes];
  for await (const bytes of body) {
    // Not the other way round: a limit that is no number lets nothing through.
    if (!(bytes.length <= left)) {
      if (longer !== 'cut') throw new OutboundError('too-large', `Expected an answer of at most ${mostBytes} bytes`);
      // Not flushed: half a character at the end is left out.
      return text + decoder.decode(bytes.subarray(0, left), { stream: true });
    }
    left -= bytes.length;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

export interface OutboundParts {
  readonly wire: Wire;
  /** Ranges, addresses and names of hosts that may be reached although they are not public. */
  readonly allow: readonly string[];
  readonly clock: Clock;
  /** Called with the outcome of each call. */
  count?(outcome: 'answered' | OutboundErrorKind): void;
}

/** `trusted`: the operator wrote the host into the settings, so it is reached as named. */
interface OutboundTarget extends Omit<WireTarget, 'connectLimit'> {
  readonly trusted: boolean;
}

/** The forms of a call. They share the names, the address policy and the wire. */
export interface Outbound {
  call(call: OutboundCall): Promise<OutboundAnswer>;
  stream(call: OutboundStreamCall): Promise<OutboundStream>;
  /** Opens a connection under the same policy. Undefined: the runtime opens none. */
  readonly connect: ((target: OutboundTarget, signal: AbortSignal) => Promise<WireConnection>) | undefined;
  /**
   * Why no call reaches an address as the settings are. Undefined where one does, or where only its name would tell.
   * `whileSaved`: a receiver on this machine may be written down before the list has it, as production clients do.
   */
  uncallable(url: string, whileSaved?: boolean): string | undefined;
}

/** Milliseconds for a connection while the name has another address that could be tried. */
const connectLimit = 1_000;

/** The one way to an address that a caller of the API has written. */
export function createOutbound({ wire, allow, clock, count }: OutboundParts): Outbound {
  const { permitted, refusal } = createAddressPolicy(allow);
  const names = wire.resolve && createNames(wire.resolve, clock);

  /** Addresses that the call may connect to. Undefined: chosen by the runtime. */
  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly (string | undefined)[]> {
    if (parseAddress(host)) return permitted(host, [host]);
    if (names) return permitted(host, await names.addressesOf(host, signal));
    return isLocalhost(host) ? permitted(host, ['127.0.0.1']) : [undefined];
  }

  /** Tries the addresses of a host. Only a failed connection leads from one to the next. */
  async function reach<T>(
    host: string,
    { trusted }: { readonly trusted?: boolean },
    signal: AbortSignal,
    attempt: (address: string | undefined, limit: number | undefined) => Promise<T>,
  ): Promise<T> {
    const addresses = trusted === true ? [undefined] : await addressesOf(host, signal);
    for (const address of addresses) {
      // The caller may have left while the name was looked up.
      signal.throwIfAborted();

      const isLast = address === addresses.at(-1);
      try {
        return await attempt(address, isLast ? undefined : connectLimit);
      } catch (error) {
        const failure =
          error instanceof OutboundError
            ? error
            : new OutboundError('answer', `Expected a whole answer from "${host}"`, error);
        if (failure.kind !== 'connect') throw failure;
        if (isLast || address === undefined) {
          names?.forget(host);
          throw failure;
        }
        // Nothing has been sent, so another machine of that name may be asked instead.
        names?.leaveOut(host, address);
      }
    }
    throw new OutboundError('connect', `Expected an address of "${host}"`);
  }

  /** `use` reads the answer. It runs while another address may still be tried. */
  const send = <T>(
    target: { readonly trusted?: boolean },
    request: WireRequest,
    signal: AbortSignal,
    use: (answer: WireAnswer) => Promise<T> | T,
  ): Promise<T> =>
    reach(hostOf(request.url), target, signal, async (address, limit) => {
      const answer = await wire.send(
        address,
        limit === undefined ? request : { ...request, connectLimit: limit },
        signal,
      );
      return use(answer.address === undefined ? { ...answer, address } : answer);
    });

  async function collected(call: OutboundCall): Promise<OutboundAnswer> {
    const request = readRequest(call, call.body);
    const collect = async (answer: WireAnswer): Promise<OutboundAnswer> => {
      const { status, headers, address } = answer;
      const text = await readAnswerText(answer, call);
      return { status, headers, text, ...(address === undefined ? {} : { address }) };
    };
    return withTimeLimit(clock, call.timeout, call.signal, (signal) => send(call, request, signal, collect));
  }

  function uncallable(url: string, whileSaved = false): string | undefined {
    const host = hostOf(new URL(url));
    const address = parseAddress(host);
    if (!address || (whileSaved && classify(address).says === 'loopback')) return undefined;
    return refusal(host, host);
  }

  return {
    uncallable,
    async call(call) {
      try {
        const answer = await collected(call);
        count?.('answered');
        return answer;
      } catch (error) {
        count?.((error as OutboundError).kind);
        throw error;
      }
    },
    stream: (call) =>
      streamed(
        (target, request, signal) => send(target, request, signal, (answer) => answer),
        clock,
        call,
        (error) => count?.(error?.kind ?? 'answered'),
      ),
    connect:
      wire.connect &&
      (({ trusted, ...target }, signal) =>
        reach(target.host, { trusted }, signal, (address, limit) =>
          wire.connect!(address, { ...target, connectLimit: limit }, signal),
        )),
  };
}

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** By its very name, whatever a resolver would say (RFC 6761). */
const isLocalhost = (host: string): boolean => /(?:^|\.)localhost\.?$/.test(host);
