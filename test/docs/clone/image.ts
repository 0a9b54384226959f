import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A stage of the Containerfile: what it copies, and what it runs. */
interface Stage {
  readonly copies: readonly { readonly from: readonly string[]; readonly to: string; readonly isFromBuild: boolean }[];
  readonly runs: readonly string[];
}

export async function stagesOf(path = 'deploy/Containerfile'): Promise<readonly [build: Stage, image: Stage]> {
  const text = await readFile(path, 'utf8');
  const [, build, image] = text.replaceAll('\\\n', '').split(/^FROM .*$/m);
  if (image === undefined) throw new Error(`Expected two stages in ${path}`);
  return [stageOf(build!), stageOf(image)];
}

function stageOf(text: string): Stage {
  const words = (name: string) => [...text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest]) => rest!);
  const copies = words('COPY').map((line) => {
    const paths = line.split(/\s+/).filter((word) => !word.startsWith('--'));
    return { from: paths.slice(0, -1), to: paths.at(-1)!, isFromBuild: line.startsWith('--from=build') };
  });
  return { copies, runs: words('RUN') };
}

/** Whether the ignore file leaves the path to the builder: the last pattern that fits it or a folder above it decides. */
async function ignores(): Promise<(path: string) => boolean> {
  const lines = (await readFile('deploy/Containerfile.dockerignore', 'utf8')).split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    const fits = (pattern: string) => pattern === '*' || path === pattern || path.startsWith(`${pattern}/`);
    return patterns.findLast((pattern) => fits(pattern.replace(/^!/, '')))?.startsWith('!') === false;
  };
}

/** Copies into `folder` the files of this checkout that the build stage gets, and no other. */
export async function copyContext(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard'], { maxBuffer: 1 << 26 });
  const isIgnored = await ignores();
  const files = stdout.split('\n').filter((path) => path !== '' && !isIgnored(path));
  for (const { from, to } of (await stagesOf())[0].copies) {
    for (const source of from) {
      const copied = files.filter((path) => path === source || path.startsWith(`${source}/`));
      if (copied.length === 0) throw new Error(`Expected files to COPY in ${source}`);
      for (const path of copied) {
        // A file goes into the folder that is named, the content of a folder in its place.
        const target = join(folder, to, path === source ? basename(path) : posix.relative(source, path));
        await mkdir(dirname(target), { recursive: true });
        await cp(path, target);
      }
    }
  }
}

/** Does in a folder what the Containerfile does, without the packages of the system. Gives the folder of the image. */
export async function buildImage(folder: string): Promise<string> {
  const [build, image] = [join(folder, 'build'), join(folder, 'image')];
  await copyContext(build);
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  const [first, second] = await stagesOf();
  for (const line of first.runs) await run('sh', ['-eu', '-c', line], { cwd: build, env, maxBuffer: 1 << 26 });
  await mkdir(image);
  const copies = second.copies
    .filter(({ isFromBuild }) => isFromBuild)
    .flatMap(({ from, to }) => from.map((path) => ({ path, to })));
  for (const { path, to } of copies) {
    const source = join(build, posix.relative('/build', path));
    const target = to.endsWith('/') ? join(image, to, basename(path)) : join(image, to);
    await cp(source, target, { recursive: true, verbatimSymlinks: true });
  }
  return image;
}

/** Writes the command `portico` of an image into a folder of the path. */
export async function linkProgram(image: string, bin: string): Promise<void> {
  await mkdir(bin);
  const program = join(bin, 'portico');
  await writeFile(program, `#!/bin/sh\nexec node ${join(image, 'dist/src/entry/cli.js')} "$@"\n`);
  await chmod(program, 0o755);
}
