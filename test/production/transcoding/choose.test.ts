import { describe, expect, it } from 'vitest';
import { cutterFrom, stillsFrom } from '../../../src/production/transcoding/transcoders.ts';
import { JobFails, JobWaits } from '../../../src/room/jobs/job-type.ts';
import type { Transcoder } from '../../../src/spi/index.ts';
import { type FakeTranscoder, fakeTranscoder } from './fake-transcoder.ts';

/** Transcoder that works, but cuts nothing and makes no stills. */
function unsuited(): Transcoder {
  const { cut: _, ...fake } = fakeTranscoder();
  return { ...fake, name: 'unsuited', abilities: async () => ({ ...(await fake.abilities()), stills: [] }) as never };
}

function missing(): FakeTranscoder {
  const fake = fakeTranscoder();
  fake.missing = 'install the other one';
  return fake;
}

/** Name of the chosen transcoder, resource that the job waits for, or error of its failure. */
const endOf = (choice: Promise<Transcoder>): Promise<unknown> =>
  choice.then(
    ({ name }) => name,
    (error: unknown) => {
      if (error instanceof JobWaits) return error.waiting.resourceId;
      if (error instanceof JobFails) return error;
      throw error;
    },
  );

describe.each([
  ['cuts', (all: readonly Transcoder[]) => cutterFrom(all)],
  ['stills', (all: readonly Transcoder[]) => stillsFrom(all, 'image/png')],
] as const)('the transcoder for %s', (_name, choose) => {
  it('is the first that works and can', async () => {
    expect(await endOf(choose([missing(), unsuited(), fakeTranscoder()]))).toBe('fake');
  });

  it('is waited for where only others work, with what to install', async () => {
    expect(await endOf(choose([unsuited(), missing()]))).toBe('install the other one');
  });

  it('is waited for where there is none', async () => {
    expect(await endOf(choose([]))).toBe('Expected ffmpeg on the path of the service');
  });
});

it('stills of a type that none of the installed transcoders makes fail the job with their type', async () => {
  expect(await endOf(stillsFrom([unsuited()], 'image/png'))).toEqual(
    new JobFails('Expected a transcoder for all elements of the order: none for format image/png'),
  );
});
