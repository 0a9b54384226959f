import type { Check } from '../../room/context.ts';
import type { Transcoder } from '../../spi/index.ts';

/** Transcoders that work here, with their versions, and what to install for the others. */
export interface TranscodersFound {
  readonly working: readonly string[];
  readonly install: readonly string[];
}

export async function findTranscoders(transcoders: readonly Transcoder[]): Promise<TranscodersFound> {
  const tested = await Promise.all(
    transcoders.map(async (each) => ({ name: each.name, able: await each.abilities() })),
  );
  return {
    working: tested.flatMap(({ name, able }) => ('missing' in able ? [] : [`${name} ${able.version}`])),
    install: tested.flatMap(({ able }) => ('missing' in able ? [able.missing] : [])),
  };
}

/** Check of the transcoders. Without one, jobs wait. */
export const transcoderCheck = (transcoders: readonly Transcoder[]): Check => ({
  name: 'transcoding',
  description: 'Transcoding',
  async run() {
    const tested = await Promise.all(
      transcoders.map(async (each) => ({ name: each.name, able: await each.abilities() })),
    );
    const test = tested.map(({ name, able }) =>
      'missing' in able
        ? { name, status: 'warning' as const, message: [able.missing] }
        : {
            name,
            status: 'ok' as const,
            message: [
              `${able.version}, licence: ${able.licence}`,
              `video: ${able.video.join(', ')}`,
              `audio: ${able.audio.join(', ')}`,
            ],
          },
    );
    if (test.some(({ status }) => status === 'ok')) return { status: 'ok', test };
    return { status: 'warning', message: ['No transcoder: jobs that need one wait'], test };
  },
});
