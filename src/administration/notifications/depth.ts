import type { Clock } from '../../core/lib/clock.ts';

/**
 * Length of the chain of deliveries that caused a request. Receivers that call this API pass on the header of their
 * delivery. Libraries for W3C traces pass on the trace state automatically. The depth is signed and valid for an hour,
 * so that no caller can suppress a notification by claiming a circle.
 */
export interface Depth {
  /** 0 for whatever was not led to, is too old, or is forged. */
  of(headers: Headers): number;
  /** For a delivery of an event of that depth. */
  headersFor(depth: number): Readonly<Record<string, string>>;
}

const header = 'portico-depth';
const form = /^(\d{1,6})-(\d{1,12})\.([\w-]{16})$/;
const minute = 60_000;
/** A circle that takes longer does no harm. */
const minutesGood = 60;

export function createDepth(clock: Pick<Clock, 'now'>, sign: (text: string) => string): Depth {
  const minuteNow = (): number => Math.floor(clock.now() / minute);
  // Base64 has characters that the state of a trace may not have.
  const signature = (said: string): string =>
    sign(`${header}: ${said}`)
      .replace(/[^\w-]/g, '')
      .slice(0, 16)
      .padEnd(16, '-');

  /** For the deliveries of this minute: circles are cut after a few rounds, so there are only a few. */
  let signed: string[] = [];
  let since = 0;

  function written(depth: number): string {
    const now = minuteNow();
    if (now !== since) {
      signed = [];
      since = now;
    }
    const said = `${depth}-${now}`;
    signed[depth] ??= `${said}.${signature(said)}`;
    return signed[depth];
  }

  function read(text: string | null | undefined): number {
    const [, depth, at, proof] = form.exec(text?.trim() ?? '') ?? [];
    if (depth === undefined || proof !== signature(`${depth}-${at}`)) return 0;
    return Math.abs(minuteNow() - Number(at)) <= minutesGood ? Number(depth) : 0;
  }

  return {
    of(headers) {
      const direct = headers.get(header);
      const state = headers.get('tracestate');
      if (direct === null && state === null) return 0;
      const member = state?.split(',').find((each) => each.trim().startsWith('portico='));
      return Math.max(read(direct), read(member?.trim().slice('portico='.length)));
    },
    headersFor(depth) {
      const next = written(depth + 1);
      return { [header]: next, tracestate: `portico=${next}` };
    },
  };
}
