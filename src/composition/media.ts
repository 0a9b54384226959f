import { isRecord } from '../core/lib/checks.ts';
import { sentenceOf } from '../core/lib/messages.ts';
import { programVersion } from '../core/lib/version.ts';
import {
  checkedResult,
  createMeter,
  MediaFault,
  mediaKindOf,
  missingProbers,
  ownProbersHook,
  probeWith,
  withoutOwnProbers,
} from '../production/checking/public-reading.ts';
import type { Hooks } from '../room/hook.ts';
import type {
  MeasuredSound,
  MediaHost,
  MediaSource,
  MediaTool,
  ProbeOptions,
  ProbeResult,
  Prober,
  SoundReader,
  Transcoder,
  TranscoderAbilities,
} from '../spi/index.ts';

/** Asks probers of plugins and then those that ship, in this process. */
export const probeInTurn = (
  source: MediaSource,
  options: ProbeOptions,
  { ofPlugins, shipped }: { readonly ofPlugins: readonly Prober[]; readonly shipped: readonly Prober[] },
): Promise<ProbeResult> => probeWith([...ofPlugins.map(careful), ...shipped], source, options);

/** Wraps a prober of a plugin: its results are validated, and an exception in `accepts` means `no`. */
const careful = (prober: Prober): Prober => ({
  name: prober.name,
  accepts(head, name) {
    try {
      // Copy of the head, so that a prober cannot change it for the others.
      const answer = prober.accepts(head.slice(), name);
      return answer === 'yes' || answer === 'maybe' ? answer : 'no';
    } catch {
      return 'no';
    }
  },
  async probe(source, options) {
    try {
      return checkedResult(await prober.probe(source, options));
    } catch (error) {
      if (mediaKindOf(error) !== undefined) throw error;
      throw new MediaFault('broken', `Expected the prober ${prober.name} to read the file: ${sentenceOf(error)}`);
    }
  },
});

/** Measures sound in this process. */
export async function measureBy(
  reader: SoundReader,
  source: MediaSource,
  options: Pick<ProbeOptions, 'signal'>,
  report?: (seconds: number) => void,
): Promise<MeasuredSound> {
  const meter = createMeter(report);
  await reader.read(source, meter, options);
  return meter.result();
}

/** For hosts without processes. */
export const probingHere = (hooks: Pick<Hooks, 'find' | 'need'>): MediaHost => ({
  async probe(source, options, probers = []) {
    const own = hooks.find(ownProbersHook);
    const ofPlugins = probers.map(({ prober }) => prober);
    const properties = await probeInTurn(source, options, { ofPlugins, shipped: own?.probers ?? [] });
    return own ? properties : withoutOwnProbers(properties, source.name);
  },
  sound: async (source, options) => measureBy(hooks.need(ownProbersHook).sound, source, options),
  async tools() {
    const own = hooks.find(ownProbersHook);
    return own ? toolsOf(own.probers) : [missingProbers];
  },
  close: async () => undefined,
});

/** Built-in probers as tools: they need no external program. */
export const toolsOf = (shipped: readonly Prober[]): readonly MediaTool[] =>
  shipped.map(({ name }) => ({ name, version: programVersion }));

/** Transcoders in order of preference. Those of plugins come first: an operator installed them deliberately. */
export const transcodersOf = (
  ofPlugins: readonly Transcoder[],
  ofHost: readonly Transcoder[] = [],
): readonly Transcoder[] => [
  ...ofPlugins.map(honest),
  // A configured drawer takes the place of that of the host, which has the same name and draws the same.
  ...ofHost.filter(
    ({ name, draws = [] }) =>
      draws.length === 0 || !ofPlugins.some((each) => each.name === name && String(each.draws) === String(draws)),
  ),
];

const lists = ['containers', 'video', 'audio', 'stills'] as const;

/** Wraps a transcoder of a plugin. Invalid abilities count as missing. */
function honest(transcoder: Transcoder): Transcoder {
  const { name, draws } = transcoder;
  return {
    name,
    ...(Array.isArray(draws) && { draws: draws.filter((each) => typeof each === 'string') }),
    async abilities() {
      try {
        return checkedAbilities(await transcoder.abilities());
      } catch (error) {
        return { missing: `Expected the transcoder ${name} to say what it can do: ${sentenceOf(error)}` };
      }
    },
    unable: (order) => transcoder.unable(order),
    run: (...args) => transcoder.run(...args),
    stills: (...args) => transcoder.stills(...args),
    ...(transcoder.lacks && {
      lacks: async () => (await transcoder.lacks!()).filter((each) => typeof each === 'string'),
    }),
    ...(transcoder.cut && { cut: (...args) => transcoder.cut!(...args) }),
    ...(transcoder.mark && { mark: (...args) => transcoder.mark!(...args) }),
    ...(transcoder.join && { join: (...args) => transcoder.join!(...args) }),
  };
}

function checkedAbilities(value: unknown): TranscoderAbilities {
  const abilities = isRecord(value) ? value : {};
  if (typeof abilities['missing'] === 'string') return { missing: abilities['missing'] };
  const { version, licence } = abilities;
  if (typeof version !== 'string' || typeof licence !== 'string')
    throw new Error('Expected texts as version and licence');
  const texts = (key: string) => {
    const list = abilities[key];
    if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
    throw new Error(`Expected a list of texts as ${key}`);
  };
  const names = Object.fromEntries(lists.map((key) => [key, texts(key)]));
  return { version, licence, ...names, marks: abilities['marks'] === true } as TranscoderAbilities;
}
