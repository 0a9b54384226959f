import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { denoProgram } from '../support/programs.ts';
import { temporaryDirectory } from '../support/store.ts';

it('deno task start with a root elsewhere says which permission of which folder is missing', async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const { tasks }: { tasks: { start: string } } = JSON.parse(await readFile('deno.json', 'utf8'));
  // Behind the build of the web page, and the name of the program.
  const [, ...words] = tasks.start.split(' && ').at(-1)!.split(' ');
  const root = join(path, 'elsewhere');
  const said = await new Promise<string>((done) => {
    execFile(denoProgram(), [...words, '--root', root, '--port', '0'], (_error, out, err) => done(out + err));
  });
  expect(said).toContain(
    `portico: Expected permissions of Deno: Requires read access to "${join(root, 'secret.key')}"`,
  );
  expect(said).toContain('name the folder in --allow-read and --allow-write');
});
