import process from 'node:process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findProgram } from '../../src/entry/media/child/find-program.ts';
import { serveCli, tryCli } from '../support/cli.ts';
import { fakeFfmpeg } from '../support/programs.ts';
import { temporaryDirectory } from '../support/store.ts';

const hasShell = process.platform !== 'win32';

async function root(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  return directory.path;
}

it.runIf(hasShell)('"check" names the transcoder on the path, or says what to install', async () => {
  const path = await root();
  vi.stubEnv('PATH', await fakeFfmpeg(path));
  onTestFinished(() => void vi.unstubAllEnvs());
  const checked = async (PORTICO_FFMPEG: string) => {
    const { code, out } = await tryCli(['check'], { root: path, environment: { PORTICO_FFMPEG } });
    return [code, out.trim().split('\n').at(-1)];
  };
  expect(await checked('ffmpeg')).toEqual([0, 'transcoders: ffmpeg 9.9-fake']);
  expect(await checked('no-such-program')).toEqual([
    0,
    expect.stringMatching(
      /^transcoders: none, so shape tags and thumbnails wait: install ffmpeg, or name it in PORTICO_FFMPEG; or /,
    ),
  ]);
});

it.runIf(hasShell)('the log of a start names the transcoder, or warns that there is none', async () => {
  const path = await root();
  const PATH = `${await fakeFfmpeg(path)}:${process.env['PATH']}`;
  const found = await serveCli({ root: path, environment: { PATH } });
  await found.logged('"event":"transcoders","found":"ffmpeg 9.9-fake"');
  const none = await serveCli({ root: await root(), environment: { PORTICO_FFMPEG: '' } });
  await none.logged('"event":"no-transcoder","notice":"Shape tags and thumbnails wait for a transcoder"');
  await none.logged('install ffmpeg, or name it in PORTICO_FFMPEG');
});

it.runIf(hasShell)(
  'a program is found by its name or its path; a folder, a command of the shell and words are none',
  async () => {
    const path = await root();
    const folder = await fakeFfmpeg(path);
    vi.stubEnv('PATH', `/nowhere:${folder}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const found = await Promise.all(
      ['ffmpeg', `${folder}/ffmpeg`, folder, 'echo', '', 'ffmpeg; echo /bin/sh', '-v', `${folder}/none`].map(
        findProgram,
      ),
    );
    const program = `${folder}/ffmpeg`;
    expect(found).toEqual([program, program, ...Array(6).fill(undefined)]);
  },
);
