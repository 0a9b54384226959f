import type { Host, MediaSource, ProbeResult, Prober } from '../../spi/index.ts';
import { ended, type TestHost, testHost } from './host.ts';
import { broken, type CheckResult, errorSentence, inspect, quoteText, showValue } from './result.ts';

/** A small media file. */
export interface MediaExample {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Expected result of a prober, as a partial document: `{ format: 'au' }`. */
  readonly found?: Partial<ProbeResult>;
}

/** Media source that counts the bytes read. */
interface CountedMedia extends MediaSource {
  readonly bytesRead: number;
}

/** Media source with the behaviour of the service: exact ranges, and errors for invalid ones. */
export function mediaOf({ name, bytes }: Pick<MediaExample, 'name' | 'bytes'>, failure?: Error): CountedMedia {
  let bytesRead = 0;
  return {
    size: bytes.byteLength,
    name,
    get bytesRead() {
      return bytesRead;
    },
    async read({ from, end }) {
      if (failure) throw failure;
      if (from < 0 || from > end || end > bytes.byteLength) {
        throw Object.assign(new Error(`Expected a range within ${bytes.byteLength} bytes`), { kind: 'broken' });
      }
      bytesRead += end - from;
      return bytes.slice(from, end);
    },
  };
}

const kinds: readonly unknown[] = ['unsupported', 'broken', 'exhausted', 'aborted'];

export const hasMediaKind = (error: unknown): boolean => kinds.includes((Object(error) as { kind?: unknown }).kind);

export interface ProberUnderTest {
  make(host: Host): Promise<Prober> | Prober;
  /** Files that it knows. */
  readonly media?: readonly MediaExample[] | undefined;
}

const words: readonly unknown[] = ['yes', 'maybe', 'no'];
const headBytes = 65_536;
const maxBytes = 1_000_000;

/** Heads without an expected result. */
const odd: readonly Uint8Array[] = [
  new Uint8Array(),
  new Uint8Array(1),
  new Uint8Array(4096).fill(0xff),
  Uint8Array.from({ length: 512 }, (_, at) => (at * 151) % 256),
];

/** The contract of a prober of media. */
export function checkProber({ make, media = [] }: ProberUnderTest): Promise<CheckResult[]> {
  const ready = async () => {
    const host = testHost();
    return { host, prober: await make(host) };
  };
  const probe = (host: TestHost, prober: Prober, example: MediaExample, source = mediaOf(example)) =>
    ended(prober.probe(source, { maxBytes, signal: new AbortController().signal }), host);

  return inspect({
    async 'has a name'() {
      const { name } = (await ready()).prober;
      if (typeof name !== 'string' || name.trim() === '') broken('a name', showValue(name));
    },

    async 'says of any head whether it knows the file'() {
      const { prober } = await ready();
      for (const head of odd) {
        for (const name of [undefined, '', 'a.bin', '../\0']) {
          const answer: unknown = prober.accepts(head, name);
          if (!words.includes(answer)) broken('"yes", "maybe" or "no"', showValue(answer));
        }
      }
    },

    async 'knows its examples'() {
      const { host, prober } = await ready();
      for (const example of media) {
        const head = example.bytes.slice(0, headBytes);
        if (prober.accepts(head, example.name) === 'no')
          broken(`"yes" or "maybe" for ${quoteText(example.name)}`, '"no"');
        const result = await probe(host, prober, example);
        checkResult(result, prober, example);
        for (const [key, value] of Object.entries(example.found ?? {})) {
          const actual: unknown = Reflect.get(result, key);
          if (showValue(actual) !== showValue(value))
            broken(`${key} of ${quoteText(example.name)}: ${showValue(value)}`, showValue(actual));
        }
      }
    },

    async 'finds the same twice, and in two files at once'() {
      const { host, prober } = await ready();
      for (const example of media) {
        const [one, other] = await Promise.all([probe(host, prober, example), probe(host, prober, example)]);
        if (JSON.stringify(one) !== JSON.stringify(other)) broken(showValue(one), showValue(other));
      }
    },

    async 'reads at most as much as it may'() {
      const { host, prober } = await ready();
      for (const example of media) {
        const source = mediaOf(example);
        await probe(host, prober, example, source);
        if (source.bytesRead > maxBytes) broken(`at most ${maxBytes} bytes read`, String(source.bytesRead));
      }
    },

    async 'ends with a result or with a media error where a file is cut or damaged'() {
      const { host, prober } = await ready();
      for (const { name, bytes } of damaged(media)) {
        await probe(host, prober, { name, bytes }).catch((error: unknown) => {
          if (!hasMediaKind(error))
            broken('an error whose kind is unsupported, broken, exhausted or aborted', errorSentence(error));
        });
      }
    },

    async 'ends with the error of a storage that is away'() {
      const { host, prober } = await ready();
      const away = Object.assign(new Error('The storage is away'), { kind: 'offline' });
      for (const example of media) {
        const outcome = await probe(host, prober, example, mediaOf(example, away)).then(
          () => 'a result',
          () => undefined,
        );
        if (outcome) broken('an error where no byte can be read', outcome);
      }
    },
  });
}

function checkResult(result: ProbeResult, { name }: Prober, example: MediaExample): void {
  const what = quoteText(example.name);
  if (result?.by !== name) broken(`by: ${quoteText(name)} in the result of ${what}`, showValue(result?.by));
  if (typeof result.format !== 'string' || result.format === '')
    broken(`a format of ${what}`, showValue(result.format));
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(result.mimeType)) broken(`a media type of ${what}`, showValue(result.mimeType));
  for (const key of ['tracks', 'warnings'] as const) {
    if (!Array.isArray(result[key])) broken(`a list as ${key} of ${what}`, showValue(result[key]));
  }
  if (typeof result.isPartial !== 'boolean')
    broken(`true or false as isPartial of ${what}`, showValue(result.isPartial));
  if (JSON.stringify(JSON.parse(JSON.stringify(result))) !== JSON.stringify(result)) broken('a result as JSON', what);
}

/** Each example cut in several places, and with bytes that are turned round. */
function* damaged(media: readonly MediaExample[]): Generator<Pick<MediaExample, 'name' | 'bytes'>> {
  for (const { name, bytes } of media) {
    const { length } = bytes;
    for (const end of new Set([0, 1, 4, 12, 24, length >> 1, length - 1])) {
      if (end >= 0 && end < length) yield { name, bytes: bytes.slice(0, end) };
    }
    for (const step of [3, 7]) yield { name, bytes: bytes.map((byte, at) => (at % step === 0 ? byte ^ 0xff : byte)) };
  }
  for (const bytes of odd) yield { name: 'odd', bytes };
}
