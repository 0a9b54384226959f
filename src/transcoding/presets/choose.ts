import { JobFails, JobWaits } from '../../jobs/job-type.ts';
import type { TranscodeOrder, Transcoder } from '../../spi/index.ts';

/** What a job waits for where no transcoder is installed, in words that do not change. */
export const noTranscoder = (install: string) => ({
  resourceType: 'TRANSCODER',
  resourceId: install,
  requirement: 'NoTranscoder',
});

const nobody = 'Expected ffmpeg on the path of the service';

/** The transcoders that work here. Throws what makes the job wait where there is none. */
async function working(transcoders: readonly Transcoder[]): Promise<readonly Transcoder[]> {
  const missing: string[] = [];
  const found: Transcoder[] = [];
  for (const each of transcoders) {
    const abilities = await each.abilities();
    if ('missing' in abilities) missing.push(abilities.missing);
    else found.push(each);
  }
  if (found.length > 0) return found;
  throw new JobWaits(noTranscoder(missing.length > 0 ? missing.join('; or ') : nobody));
}

/** The first transcoder that carries out the order. */
export async function transcoderFor(transcoders: readonly Transcoder[], order: TranscodeOrder): Promise<Transcoder> {
  let lack: string | undefined;
  for (const each of await working(transcoders)) {
    const unable = await each.unable(order);
    if (unable === undefined) return each;
    lack ??= unable;
  }
  throw new JobFails(`Expected a transcoder for all elements of the preset: none for ${lack}`);
}

/** The first transcoder that cuts parts out of media. */
export async function cutterFrom(
  transcoders: readonly Transcoder[],
): Promise<Transcoder & Pick<Required<Transcoder>, 'cut'>> {
  for (const each of await working(transcoders)) if (each.cut) return each as Transcoder & { cut: typeof each.cut };
  throw new JobFails('Expected a transcoder that cuts a part out of media');
}

/** The first transcoder that puts parts of media together as the order says. Others that work do not end the wait. */
export async function joinerFor(
  transcoders: readonly Transcoder[],
  order: TranscodeOrder,
): Promise<Transcoder & Pick<Required<Transcoder>, 'join'>> {
  const able = await working(transcoders.filter(({ join }) => join !== undefined));
  return (await transcoderFor(able, order)) as Transcoder & Pick<Required<Transcoder>, 'join'>;
}

/** The first transcoder that makes stills of a type. */
export async function stillsFrom(transcoders: readonly Transcoder[], type: string): Promise<Transcoder> {
  for (const each of await working(transcoders)) {
    const abilities = await each.abilities();
    if ('stills' in abilities && abilities.stills.some((able) => able === type)) return each;
  }
  throw new JobFails(`Expected a transcoder that makes pictures of the type ${type}`);
}
