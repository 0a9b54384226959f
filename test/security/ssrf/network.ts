import { onTestFinished } from 'vitest';
import { createOutbound, type Outbound } from '../../../src/core/outbound/outbound.ts';
import type { Wire } from '../../../src/core/outbound/wire.ts';
import { hostWire } from '../../../src/entry/wire.ts';
import type { OutboundCall } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { openReceiver } from '../../support/receiver.ts';

/** Played by a server of this machine, so that the attacks run over real connections and nothing leaves. */
export const publicAddress = '93.184.216.34';
export const metadata = '169.254.169.254';

type More = Partial<Pick<OutboundCall, 'method' | 'headers' | 'body' | 'trusted'>>;
type Asked = (url: string, more?: More) => Promise<{ readonly status: number; readonly text: string }>;
type Common = Pick<OutboundCall, 'url' | 'method'> & More;

/** Each attack runs over both forms of a call. */
export const forms = {
  call: (outbound: Outbound, asked: Common) => outbound.call({ ...asked, timeout: 5_000, mostBytes: 1_000 }),
  async stream(outbound: Outbound, asked: Common) {
    const answer = await outbound.stream({ ...asked, answerWithin: 5_000, idle: 5_000, mostBytes: 1_000 });
    return { status: answer.status, text: await new Response(answer.body).text() };
  },
};
export const formNames = ['call', 'stream'] as const;

interface NetworkOptions {
  readonly form?: keyof typeof forms;
  /** Answers of the attacker's name server, look by look. The last one is repeated. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly allow?: readonly string[];
}

export function network({ names = {}, allow = [], form = 'call' }: NetworkOptions = {}) {
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
  const outbound = createOutbound({ wire, allow, clock });
  const asked: Asked = (url, more) => forms[form](outbound, { url, method: 'GET', ...more });
  return { call: asked, clock, connected, looks };
}

/** Somebody's server on this machine, until the test ends. */
export async function receiver() {
  const open = await openReceiver();
  onTestFinished(() => open.close());
  return { ...open, port: new URL(open.address).port };
}
