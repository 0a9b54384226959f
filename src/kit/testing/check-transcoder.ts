import type { Host, TranscodeOrder, Transcoder, TranscoderAbilities } from '../../spi/index.ts';
import { hasMediaKind, type MediaExample, mediaOf } from './check-prober.ts';
import { ended, type TestHost, testHost } from './host.ts';
import { broken, type CheckResult, errorSentence, inspect, type Promises, quoteText, showValue } from './result.ts';

export interface TranscoderUnderTest {
  make(host: Host): Promise<Transcoder> | Transcoder;
  /** Media that the orders run with. */
  readonly media?: readonly MediaExample[] | undefined;
  /** Orders to run with each input file. */
  readonly orders?: readonly TranscodeOrder[] | undefined;
}

type Able = Extract<TranscoderAbilities, { readonly version: string }>;

/** Contract of a transcoder. If its program is missing, the transcoder only has to report that. */
export function checkTranscoder({ make, media = [], orders = [] }: TranscoderUnderTest): Promise<CheckResult[]> {
  /** Undefined: its program is missing. */
  async function ready() {
    const host = testHost();
    const transcoder = await make(host);
    const abilities = await transcoder.abilities();
    return { host, transcoder, able: 'missing' in Object(abilities) ? undefined : (abilities as Able), abilities };
  }
  const all = orders.flatMap((order) => media.map((example) => ({ order, example })));

  return inspect({
    async 'has a name, and says what it can do or what to install'() {
      const { transcoder, abilities } = await ready();
      if (typeof transcoder.name !== 'string' || transcoder.name.trim() === '')
        broken('a name', showValue(transcoder.name));
      const draws: unknown = transcoder.draws ?? [];
      if (!Array.isArray(draws) || draws.some((each) => typeof each !== 'string'))
        broken('a list of texts as draws', showValue(draws));
      const abilitiesRecord = Object(abilities) as Readonly<Record<string, unknown>>;
      if ('missing' in abilitiesRecord) {
        if (typeof abilitiesRecord['missing'] !== 'string' || abilitiesRecord['missing'] === '')
          broken('a sentence', showValue(abilitiesRecord['missing']));
        return;
      }
      for (const key of ['version', 'licence'])
        if (typeof abilitiesRecord[key] !== 'string') broken(`a text as ${key}`, showValue(abilitiesRecord[key]));
      for (const key of ['containers', 'video', 'audio', 'stills'])
        if (!Array.isArray(abilitiesRecord[key])) broken(`a list as ${key}`, showValue(abilitiesRecord[key]));
    },

    async 'names the first part of an order that it cannot carry out'() {
      const { transcoder, able } = await ready();
      if (!able) return;
      const lack: unknown = await transcoder.unable({
        format: 'nobody-knows',
        video: null,
        audio: null,
        fastStart: false,
      });
      if (typeof lack !== 'string' || lack === '') broken('a text about an unknown container', showValue(lack));
      for (const order of orders) {
        const complaint = await transcoder.unable(order);
        if (complaint !== undefined) broken(`no complaint about ${showValue(order)}`, quoteText(complaint));
      }
    },

    async 'makes whole files, tells how far it is, and forgets them'() {
      const { host, transcoder, able } = await ready();
      if (!able) return;
      for (const { order, example } of all) await makesWhole(host, transcoder, order, example);
    },

    ...failures(ready, all),
    ...stills(ready, media),
  });
}

async function makesWhole(host: TestHost, transcoder: Transcoder, order: TranscodeOrder, example: MediaExample) {
  const reports: number[] = [];
  const { signal } = new AbortController();
  const options = { signal, progress: (done: number) => void reports.push(done) };
  const output = await ended(transcoder.run(mediaOf(example), order, options), host);
  const what = `${order.format} of ${quoteText(example.name)}`;
  let size = 0;
  const reader = output.body().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.byteLength;
  await output.close();
  await output.close();
  if (size !== output.size || size === 0) broken(`${output.size} bytes of ${what}`, String(size));
  if (!Array.isArray(output.warnings)) broken(`a list of warnings about ${what}`, showValue(output.warnings));
  const odd = reports.find((done, at) => !(done >= (reports[at - 1] ?? 0) && done <= 1));
  if (odd !== undefined) broken(`progress from 0 to 1, never less than before, for ${what}`, showValue(reports));
}

type Ready = () => Promise<{ host: TestHost; transcoder: Transcoder; able: Able | undefined }>;
type Cases = readonly { readonly order: TranscodeOrder; readonly example: MediaExample }[];

function failures(ready: Ready, all: Cases): Promises {
  return {
    async 'throws where nobody reads the source, or the caller goes away'() {
      const { host, transcoder, able } = await ready();
      if (!able) return;
      const away = Object.assign(new Error('The storage is away'), { kind: 'offline' });
      const gone = new AbortController();
      gone.abort(new Error('The caller goes away'));
      for (const { order, example } of all) {
        for (const [source, signal] of [
          [mediaOf(example, away), new AbortController().signal],
          [mediaOf(example), gone.signal],
        ] as const) {
          const work = async () => {
            const output = await transcoder.run(source, order, { signal, progress: () => undefined });
            await output.close();
          };
          const outcome = await ended(work(), host).then(
            () => 'a file',
            () => undefined,
          );
          if (outcome) broken('an error', outcome);
        }
      }
    },

    async 'makes a file or throws a media error where the source is empty'() {
      const { host, transcoder, able } = await ready();
      if (!able) return;
      for (const { order, example } of all) {
        const source = mediaOf({ ...example, bytes: new Uint8Array() });
        const options = { signal: new AbortController().signal, progress: () => undefined };
        const output = await ended(transcoder.run(source, order, options), host).catch((error: unknown) => {
          if (!hasMediaKind(error)) broken('an error with the kind of a media error', errorSentence(error));
        });
        await output?.close();
      }
    },
  };
}

const stills = (ready: Ready, media: readonly MediaExample[]): Promises => ({
  async 'makes a still for each time, in their order'() {
    const { host, transcoder, able } = await ready();
    const [type] = able?.stills ?? [];
    if (type === undefined) return;
    for (const example of media) {
      const times: number[] = [];
      const each = async ({ seconds, bytes }: { seconds: number; bytes: Uint8Array }) => {
        if (bytes.byteLength === 0) broken('the bytes of a picture', 'none');
        times.push(seconds);
      };
      const order = { seconds: [0, 1, 1_000_000], type };
      await ended(transcoder.stills(mediaOf(example), order, each, { signal: new AbortController().signal }), host);
      if (times.join() !== order.seconds.join()) broken(`stills at ${order.seconds.join()}`, times.join());
    }
  },
});
