import { tmpdir } from 'node:os';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { transcodingsAtOnce } from '../../../src/entry/host.ts';
import { runLimited } from '../../../src/entry/media/child/run-program.ts';
import { limiterOf, mediaNotices, ownLimits } from '../../../src/entry/media/child/spawn-limited.ts';

const limits = { megabytes: 64, cpuSeconds: 7, folder: tmpdir() };
const only =
  (...programs: readonly string[]) =>
  (program: string) =>
    programs.includes(program);

describe.runIf(process.platform === 'linux')('limits of a media process', () => {
  it.each([
    ['/bin/sh', '/bin/sh'],
    ['prlimit', 'prlimit'],
  ])('%s sets them in the kernel', async (program, first) => {
    const line = limiterOf(only(program), 'linux')!(['/bin/cat', '/proc/self/limits'], limits);
    expect(line[0]).toBe(first);
    const [runs, ...words] = line;
    const within = { signal: new AbortController().signal, within: 10_000 };
    const { output } = await runLimited(runs, words, { ...limits, megabytes: 1024, cpuSeconds: 60 }, within);
    expect(output).toMatch(/^Max cpu time +7 +7 /m);
    expect(output).toMatch(/^Max data size +67108864 +67108864 /m);
    expect(output).toMatch(/^Max core file size +0 +0 /m);
  });
});

it('a word of a program is none of the program that sets the limits', () => {
  for (const limiter of [limiterOf(only('/bin/sh'), 'linux')!, limiterOf(only('prlimit'), 'linux')!]) {
    expect(limiter(['ffmpeg', '--pid', '1; echo no'], limits).slice(-3)).toEqual(['ffmpeg', '--pid', '1; echo no']);
  }
  expect(limiterOf(only('prlimit'), 'linux')!(['ffmpeg'], limits).at(-2)).toBe('--');
});

it('nothing sets limits on Windows, or where neither program may be started', () => {
  expect(limiterOf(only('/bin/sh'), 'win32')).toBeUndefined();
  expect(limiterOf(only('ffmpeg'), 'linux')).toBeUndefined();
});

it('ffmpeg and ffprobe limit themselves where nothing else does', () => {
  expect(ownLimits('ffmpeg', limits, undefined)).toEqual(['-max_alloc', '67108864', '-timelimit', '7']);
  expect(ownLimits('ffprobe', limits, undefined)).toEqual(['-max_alloc', '67108864']);
  expect(ownLimits('ffmpeg', limits, limiterOf(only('prlimit'), 'linux'))).toEqual([]);
});

it.skipIf(process.platform === 'win32')('an operator is told which permission is missing', () => {
  const { execPath } = process;
  expect(mediaNotices(only('/bin/sh'))).toEqual([]);
  expect(mediaNotices(only('prlimit'))).toEqual([]);
  expect(mediaNotices(only(execPath))).toEqual([expect.stringMatching(/--allow-run=prlimit\)\. Deadlines alone/)]);
  const nothing = mediaNotices(only());
  expect(nothing).toEqual([expect.stringContaining(`--allow-run=${execPath}`)]);
  expect(nothing[0]).toContain('Files are not probed');
});

it('as many films are transcoded at once as the operator says, or one for each four cores', () => {
  const atOnce = (cores: number) => transcodingsAtOnce({ transcodings: 'auto' }, cores);
  expect([1, 2, 7, 8, 16, 1_000].map(atOnce)).toEqual([1, 1, 1, 2, 4, 64]);
  expect(transcodingsAtOnce({ transcodings: 3 }, 16)).toBe(3);
});
