import { onTestFinished } from 'vitest';
import { hostWire } from '../../../src/entry/wire.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import type { Wire } from '../../../src/outbound/wire.ts';
import type { OutboundCall } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { openReceiver } from '../../support/receiver.ts';

/** Played by a server of this machine, so that the attacks run over real connections and nothing leaves. */
export const publicAddress = '93.184.216.34';
export const metadata = '169.254.169.254';

interface NetworkOptions {
  /** What the attacker's name server says, look by look. The last answer is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly allow?: readonly string[];
}

export function network({ names = {}, allow = [] }: NetworkOptions = {}) {
  const real = hostWire();
  const clock = testClock();
  const connected: (string | undefined)[] = [];
  const looks = new Map<string, number>();
  const wire: Wire = {
    async resolve(host, signal) {
      const answers = names[host];
      if (!answers) return real.resolve!(host, signal);
      const look = looks.get(host) ?? 0;
      looks.set(host, look + 1);
      return answers[Math.min(look, answers.length - 1)]!;
    },
    send(address, request, signal) {
      connected.push(address);
      return real.send(address === publicAddress ? '127.0.0.1' : address, request, signal);
    },
  };
  const guarded = createOutbound({ wire, allow, clock });
  const call = (url: string, more: Partial<OutboundCall> = {}) =>
    guarded({ url, method: 'GET', timeout: 5_000, mostBytes: 1_000, ...more });
  return { call, clock, connected, looks };
}

/** Somebody's server on this machine, until the test ends. */
export async function receiver() {
  const open = await openReceiver();
  onTestFinished(() => open.close());
  return { ...open, port: new URL(open.address).port };
}
