import type { Check } from '../../room/context.ts';
import { JobFails, JobWaits } from '../../room/jobs/job-type.ts';
import type { TranscodeOrder, Transcoder } from '../../spi/index.ts';

/** Transcoders that work here, with their versions, and what to install for the others. */
export interface TranscodersFound {
  readonly working: readonly string[];
  readonly install: readonly string[];
}

export async function findTranscoders(transcoders: readonly Transcoder[]): Promise<TranscodersFound> {
  const tested = await Promise.all(
    transcoders.map(async (each) => ({
      ...{ name: each.name, able: await each.abilities(), lacks: (await each.lacks?.()) ?? [] },
    })),
  );
  return {
    working: tested.flatMap(({ name, able, lacks }) =>
      'missing' in able || !makesForms(able) ? [] : [[`${name} ${able.version}`, ...lacks].join('; ')],
    ),
    install: tested.flatMap(({ able }) => ('missing' in able ? [able.missing] : [])),
  };
}

/** Check of the transcoders. Without one, jobs wait. */
export const transcoderCheck = (transcoders: readonly Transcoder[]): Check => ({
  name: 'transcoding',
  description: 'Transcoding',
  async run() {
    const tested = await Promise.all(
      transcoders.map(async (each) => ({
        ...{ name: each.name, draws: each.draws ?? [], able: await each.abilities() },
        lacks: (await each.lacks?.()) ?? [],
      })),
    );
    const test = tested.map(({ name, draws, able, lacks }) =>
      'missing' in able
        ? { name, status: 'warning' as const, message: [able.missing] }
        : {
            name,
            status: 'ok' as const,
            message: [
              `${able.version}, licence: ${able.licence}`,
              ...(makesForms(able)
                ? [`video: ${able.video.join(', ')}`, `audio: ${able.audio.join(', ')}`]
                : [`draws: ${draws.join(', ')}`]),
              ...lacks,
            ],
          },
    );
    if (tested.some(({ able }) => !('missing' in able) && makesForms(able))) return { status: 'ok', test };
    return { status: 'warning', message: ['No transcoder: jobs that need one wait'], test };
  },
});

/** Wait reason of jobs without an installed transcoder, with a fixed wording. */
const noTranscoder = (install: string) => ({
  resourceType: 'TRANSCODER',
  resourceId: install,
  requirement: 'NoTranscoder',
});

const onlyHere = 'Expected ffmpeg on the path of the service';
/** Message of a job that a transcoder of this service or a runner could do. */
export const orRunner = `${onlyHere}, or a runner`;

interface Installed {
  readonly transcoder: Transcoder;
  readonly abilities: Abilities;
}

type Abilities = Exclude<Awaited<ReturnType<Transcoder['abilities']>>, { readonly missing: string }>;

/** Transcoders that draw, and do nothing else, are no help to jobs that need one. */
const makesForms = ({ containers, stills }: Abilities): boolean => containers.length + stills.length > 0;

/** A drawer of documents that is missing is no help to jobs that need another form. */
const drawsDocuments = ({ draws }: Transcoder): boolean => draws?.some((type) => type.includes('/')) ?? false;

/**
 * Transcoders that work. Each is asked when those before it were of no use, because asking may start programs. Those
 * that draw documents come last. `missing` takes the installation hints of others.
 */
async function* installed(
  transcoders: readonly Transcoder[],
  missing: string[],
  is: (abilities: Abilities) => boolean = makesForms,
): AsyncGenerator<Installed> {
  const [last, first] = [transcoders.filter(drawsDocuments), transcoders.filter((each) => !drawsDocuments(each))];
  for (const transcoder of [...first, ...last]) {
    const abilities = await transcoder.abilities();
    if (!('missing' in abilities)) {
      if (is(abilities)) yield { transcoder, abilities };
    } else if (!drawsDocuments(transcoder)) missing.push(abilities.missing);
  }
}

const waitFor = (missing: readonly string[], hint: string): JobWaits =>
  new JobWaits(noTranscoder(missing.length > 0 ? missing.join('; or ') : hint));

async function firstOf(
  transcoders: readonly Transcoder[],
  is?: (abilities: Abilities) => boolean,
  missing: string[] = [],
): Promise<Transcoder | undefined> {
  for await (const { transcoder } of installed(transcoders, missing, is)) return transcoder;
  return undefined;
}

/** The first transcoder that carries out the order. `hint`: what the job waits for where there is none at all. */
export async function transcoderFor(
  transcoders: readonly Transcoder[],
  order: TranscodeOrder,
  hint = onlyHere,
): Promise<Transcoder> {
  const missing: string[] = [];
  let lack: string | undefined;
  for await (const { transcoder } of installed(transcoders, missing)) {
    const unable = await transcoder.unable(order);
    if (unable === undefined) return transcoder;
    lack ??= unable;
  }
  if (lack === undefined) throw waitFor(missing, hint);
  throw new JobFails(`Expected a transcoder for all elements of the preset: none for ${lack}`);
}

/** Whether a transcoder of this server is found. */
export async function hasTranscoder(find: () => Promise<Transcoder>): Promise<boolean> {
  try {
    await find();
    return true;
  } catch (error) {
    if (error instanceof JobWaits || error instanceof JobFails) return false;
    throw error;
  }
}

/** The first transcoder that cuts parts out of media. Others that work do not end the wait. */
export async function cutterFrom(
  transcoders: readonly Transcoder[],
): Promise<Transcoder & Pick<Required<Transcoder>, 'cut'>> {
  const missing: string[] = [];
  const cutting = transcoders.filter(({ cut }) => cut !== undefined);
  const first = await firstOf(cutting, makesForms, missing);
  if (!first) throw waitFor(missing, onlyHere);
  return first as Transcoder & Pick<Required<Transcoder>, 'cut'>;
}

/** The first transcoder that puts parts of media together as the order says. Others that work do not end the wait. */
export async function joinerFor(
  transcoders: readonly Transcoder[],
  order: TranscodeOrder,
): Promise<Transcoder & Pick<Required<Transcoder>, 'join'>> {
  const joining = transcoders.filter(({ join }) => join !== undefined);
  return (await transcoderFor(joining, order)) as Transcoder & Pick<Required<Transcoder>, 'join'>;
}

/** First transcoder for stills of a type. The abilities of a missing one are unknown, so the job waits for it. */
export async function stillsFrom(
  transcoders: readonly Transcoder[],
  type: string,
  hint = onlyHere,
): Promise<Transcoder> {
  const missing: string[] = [];
  let hasOther = false;
  for await (const { transcoder, abilities } of installed(transcoders, missing)) {
    if (abilities.stills.some((each) => each === type)) return transcoder;
    hasOther = true;
  }
  if (missing.length > 0 || !hasOther) throw waitFor(missing, hint);
  throw new JobFails(`Expected a transcoder for all elements of the order: none for format ${type}`);
}

/** The first transcoder that marks segments of streams. Undefined: none does here. */
export async function markerFrom(
  transcoders: readonly Transcoder[],
): Promise<(Transcoder & Pick<Required<Transcoder>, 'mark'>) | undefined> {
  const marking = transcoders.filter(({ mark }) => mark !== undefined);
  return (await firstOf(marking, ({ marks }) => marks === true)) as
    | (Transcoder & Pick<Required<Transcoder>, 'mark'>)
    | undefined;
}

/** The first transcoder that draws a still of media without pictures. */
export async function drawerOf(transcoders: readonly Transcoder[], media: string): Promise<Transcoder | undefined> {
  const drawing = transcoders.filter(({ draws }) => draws?.includes(media));
  return firstOf(drawing, () => true);
}
