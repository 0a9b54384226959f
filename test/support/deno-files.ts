import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { systemRandom } from '../../src/core/lib/random.ts';
import { ownHolding } from '../../src/entry/native/file-storage/held-folder.ts';
import { fileScheme } from '../../src/entry/native/file-storage/scheme.ts';

/**
 * Run in Deno by a test with a word and a root: keeps a file below it, or writes files in pieces. Prints what came of it.
 */
const [word, root] = process.argv.slice(-2) as [string, string];
const random = { randomBytes: (length: number) => systemRandom.bytes(length) };
const scheme = fileScheme({ root, storageRoots: [], minFreeBytes: word === 'keeps' ? 1 : 0 }, random);
const driver = scheme.open({ uri: `file://${root}/media/` });
const { free } = await driver.check();
const said = await (word === 'keeps' ? keeps() : writes());
await scheme.close?.();
process.stdout.write(JSON.stringify(said));

async function keeps() {
  const { token } = await driver.stage!(new Response('abc').body!);
  await driver.publish!(token, 'in/a.mov', 'create');
  const { files } = await driver.list!({ limit: 10 });
  const text = await new Response((await driver.read('in/a.mov')).body).text();
  return [ownHolding, Number(free) > 0, files.map(({ path }) => path), text];
}

async function writes() {
  const bytes = Uint8Array.from({ length: 1_000_003 }, (_, at) => (at * 31 + (at >> 8)) & 255);
  const sha1 = (of: Uint8Array) => createHash('sha1').update(of).digest('hex');

  /** Ends with an error behind so many bytes, where the sender goes away. */
  function bodyOf(of: Uint8Array, gone = false): ReadableStream<Uint8Array> {
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        const piece = of.slice(at, at + 65_536);
        at += piece.byteLength;
        if (piece.byteLength > 0) controller.enqueue(piece);
        else if (gone) controller.error(new Error('gone'));
        else controller.close();
      },
    });
  }

  /** Calls that hold the thread that serves. */
  let held = 0;
  const probe = await open(join(root, 'probe'), 'w');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  for (const name of ['write', 'writev'] as const) {
    const call = handles[name];
    handles[name] = function (this: FileHandle, ...given: unknown[]) {
      held++;
      return Reflect.apply(call, this, given);
    } as never;
  }
  await probe.close();
  const opened = () => readdirSync('/proc/self/fd').length;

  const whole = await driver.stage!(bodyOf(bytes), { hashes: ['SHA-1'] });
  const heldByWhole = held;
  const before = opened();
  await driver.publish!(whole.token, 'whole', 'create');

  const failed = await driver.stage!(bodyOf(bytes.subarray(0, 300_000), true)).catch((error: Error) => error.message);

  const sink = await driver.openParts!({ size: bytes.byteLength });
  const middle = 400_000;
  const last = sink.write(middle, bodyOf(bytes.subarray(middle)));
  const cut = await sink.write(0, bodyOf(bytes.subarray(0, 200_000), true));
  const rest = sink.write(cut, bodyOf(bytes.subarray(cut, middle)));
  const lengths = [await last, cut, await rest];
  const { token } = sink;
  await sink.close();
  await driver.publish!(token, 'parts', 'create');

  const left = (await driver.staged!()).length;
  // Files and folders are closed by another thread.
  for (let turn = 0; turn < 600 && opened() > before; turn++) await pause(100);

  return {
    held: heldByWhole,
    hash: whole.hashes['SHA-1'] === sha1(bytes),
    whole: sha1(readFileSync(join(root, 'media/whole'))) === sha1(bytes),
    failed,
    lengths,
    parts: sha1(readFileSync(join(root, 'media/parts'))) === sha1(bytes),
    left,
    descriptors: opened() - before,
  };
}
