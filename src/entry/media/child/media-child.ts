import process from 'node:process';
import { measureWithShipped, probeWithShipped, withEmbedded } from '../../../composition/shipped-probers.ts';
import type { ByteRange, MediaSource, ProbeOptions } from '../../../spi/index.ts';
import { convertCall, cutCall, encodersCall, stillsCall } from './library-calls.ts';
import { type ChildMessage, type ChildQuestion, Lines, messageLine, type QuestionSource } from './messages.ts';
import { type ProberDescription, proberFrom } from './plugin-probers.ts';

/** Function of a media process, called by name. Input and result are sent as JSON. */
type Call = (source: MediaSource, input: never, tell: (progress: unknown) => void) => Promise<unknown>;

/** Never aborted: the process is killed if a call must end early. */
const endless = new AbortController().signal;

interface ProbeInput extends Pick<ProbeOptions, 'maxBytes' | 'embedded'> {
  /** Whether the service leaves out the shipped probers. */
  readonly leavesOut?: boolean;
  /** Probers of plugins. */
  readonly probers: readonly ProberDescription[];
}

const calls: Readonly<Record<string, Call>> = {
  probe: async (source, { probers, ...asked }: ProbeInput, tell) => {
    const options = { ...asked, signal: endless };
    const probe = await probeWithShipped(source, options, await Promise.all(probers.map(proberFrom)));
    // Known before metadata is opened, which may end this process.
    if (asked.embedded?.length) tell(probe);
    return withEmbedded(source, probe, options);
  },
  sound: async (source, _input, tell) => {
    const { channels, ...measured } = await measureWithShipped(source, { signal: endless }, tell);
    const sent = channels.map(({ levels, energies, ...each }) => ({
      ...each,
      levels: Buffer.from(levels).toString('base64'),
      energies: Buffer.from(energies).toString('base64'),
    }));
    return { ...measured, channels: sent };
  },
  encoders: encodersCall,
  convert: convertCall,
  cut: cutCall,
  stills: stillsCall,
};

/** Bytes that the service sends to its media process, and lends to it. */
function remoteSource({ size, name, head = '', url }: QuestionSource): MediaSource {
  const sent = new Uint8Array(Buffer.from(head, 'base64'));
  return {
    size,
    ...(name !== undefined && { name }),
    async read(range) {
      if (range.end <= sent.byteLength) return sent.slice(range.from, range.end);
      return fetched(url, range);
    },
  };
}

async function fetched(url: string | undefined, { from, end }: ByteRange): Promise<Uint8Array> {
  if (from === end) return new Uint8Array();
  if (url === undefined) throw new Error('Expected to read no more than what was sent');
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${end - 1}` } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === 206 && bytes.byteLength === end - from) return bytes;
  throw new Error(`Expected ${end - from} bytes of the media: found the status ${answer.status}`);
}

/** The media process: it opens foreign media, one at a time, and has nothing that is worth taking. */

// The standard output belongs to the messages, and libraries like to talk.
console.log = console.error;
console.info = console.error;
console.debug = console.error;

/** Resolves once the service can read it, whatever becomes of this process. */
const tell = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(messageLine(message), () => resolve()));

async function answer({ call, source, input }: ChildQuestion): Promise<ChildMessage> {
  try {
    const does = Object.hasOwn(calls, call) ? calls[call] : undefined;
    if (!does) throw new Error(`Expected one of the calls ${Object.keys(calls).join(', ')}: "${call}"`);
    return { result: await does(remoteSource(source), input as never, (progress) => void tell({ progress })) };
  } catch (error) {
    const { kind, message } = error as { kind?: unknown; message?: unknown };
    return { failed: { kind: typeof kind === 'string' ? kind : 'broken', message: String(message ?? error) } };
  }
}

// Damaged media makes libraries reject beside the promise that waits for them.
process.on('unhandledRejection', () => undefined);

const lines = new Lines();
let before = Promise.resolve();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  for (const line of lines.take(text)) {
    const question = JSON.parse(line) as ChildQuestion;
    before = before.then(async () => tell(await answer(question)));
  }
});
// The service is gone.
process.stdin.on('end', () => process.exit(0));

void tell({ ready: true });
