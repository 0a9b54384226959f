/**
 * How many deliveries led to a request, one from the other: a receiver that calls this API hands on what the delivery
 * said, by itself or as the state of a W3C trace, which libraries hand on unasked. It is signed, so that nobody can
 * keep a change from being told by claiming that it goes round in a circle.
 */
export interface Depth {
  /** 0 for whatever was not led to, or is forged. */
  of(headers: Headers): number;
  /** For a delivery of an event of that depth. */
  headersFor(depth: number): Readonly<Record<string, string>>;
}

const header = 'portico-depth';
const form = /^(\d{1,6})\.([\w-]{16})$/;

export function createDepth(sign: (text: string) => string): Depth {
  const signed = (depth: number): string => `${depth}.${signature(depth)}`;
  // Base64 has characters that the state of a trace may not have.
  const signature = (depth: number): string =>
    sign(`${header}: ${depth}`)
      .replace(/[^\w-]/g, '')
      .slice(0, 16)
      .padEnd(16, '-');

  const known: string[] = [];

  function read(text: string | null | undefined): number {
    const [, depth, found] = form.exec(text?.trim() ?? '') ?? [];
    return depth !== undefined && found === signature(Number(depth)) ? Number(depth) : 0;
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
      // Circles are cut after a few rounds, so there are only a few.
      known[depth] ??= signed(depth + 1);
      const next = known[depth];
      return { [header]: next, tracestate: `portico=${next}` };
    },
  };
}
