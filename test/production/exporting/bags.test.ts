import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, done, rowsOf, textAt } from '../../support/requests.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { explained, exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import type { RoomWorld } from '../../support/world.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const to = (path: string) => `uri=${encodeURIComponent(`memory:///out/${path}`)}&bag=true`;

/** The implementation of the Library of Congress: `pip install bagit`. */
const python = (script: string, ...words: string[]) =>
  spawnSync('python3', ['-c', script, ...words], { encoding: 'utf8' });
const hasBagit = python('import bagit').status === 0;

async function collectionWith(world: RoomWorld, ...items: readonly string[]): Promise<string> {
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=all'));
  for (const item of items) await done(world, ask(`PUT /API/collection/${id}/${item}`));
  return id;
}

const pathsOf = (world: RoomWorld) => [...world.to.files.keys()].sort();

/** Path and hash of each line of a manifest. */
const manifest = (world: RoomWorld, path: string) =>
  Object.fromEntries(
    textAt(world.to, path)!
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );

describe('a bag', () => {
  it('has the files of items, their metadata, and the hashes of all of it', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const job = await exported(world, `/item/${item}/export?${to('bags/')}`);
    expect(whyOf(job)).toBeUndefined();
    const bag = `bags/${item}`;
    expect(pathsOf(world)).toEqual([
      `${bag}/bag-info.txt`,
      `${bag}/bagit.txt`,
      `${bag}/data/${item}/a.mov`,
      `${bag}/manifest-sha256.txt`,
      `${bag}/metadata/${item}.xml`,
      `${bag}/tagmanifest-sha256.txt`,
    ]);
    expect(urisOf(job)).toHaveLength(6);
    expect(textAt(world.to, `${bag}/bagit.txt`)).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    expect(textAt(world.to, `${bag}/bag-info.txt`)).toBe(
      `Bag-Software-Agent: Portico\nBagging-Date: 2030-01-01\nExternal-Identifier: ${item}\nPayload-Oxum: 17.1\n`,
    );
    expect(manifest(world, `${bag}/manifest-sha256.txt`)).toEqual({
      [`data/${item}/a.mov`]: sha256('bytes of in/a.mov'),
    });
    expect(textAt(world.to, `${bag}/metadata/${item}.xml`)).toContain('<MetadataDocument');
    const tags = ['bag-info.txt', 'bagit.txt', 'manifest-sha256.txt', `metadata/${item}.xml`];
    expect(manifest(world, `${bag}/tagmanifest-sha256.txt`)).toEqual(
      Object.fromEntries(tags.map((path) => [path, sha256(world.to.files.get(`${bag}/${path}`)!.bytes)])),
    );
    expect(await rowsOf(world, 'export_file')).toEqual([]);
  });

  it('of a name gets a number where there is one, and files of one name in an item, too', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/50%.mov');
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    await itemWith(world, 'other/50%.mov', { item, tag: 'lowres' });
    for (const name of ['film', 'film_1']) {
      await exported(world, `/item/${item}/export?${to('film')}&tag=original,lowres`);
      expect(Object.keys(manifest(world, `${name}/manifest-sha256.txt`)).sort()).toEqual([
        `data/${item}/50_.mov`,
        `data/${item}/50__1.mov`,
      ]);
    }
  });

  it('vouches for no bytes other than those that the service knows', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const file = world.from.files.get('in/a.mov')!;
    world.from.files.set('in/a.mov', { ...file, bytes: new TextEncoder().encode('BYTES of in/a.mov') });
    const job = await exported(world, `/item/${item}/export?${to('film')}`);
    expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining('Expected the SHA-256 "')]);
    expect(pathsOf(world)).toEqual(['film/bagit.txt']);
  });

  it('is not made by a template, which names files otherwise', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    await done(world, ask('PUT /API/export-template/web', { item: [{ shape: [{ componentfile: [{}] }] }] }));
    const answer = await world.send(ask(`POST /API/item/${item}/export?${to('film')}&template=web`));
    expect([answer.status, explained(answer)]).toEqual([400, expect.stringContaining('without a template')]);
  });

  it.skipIf(!hasBagit)(
    `of a collection is valid to another implementation, and no longer once a byte differs${hasBagit ? '' : ': not run, python3 has no package bagit'}`,
    async () => {
      const world = await openExports();
      const items = [await itemWith(world, 'in/ä b.mov'), await itemWith(world, 'in/c.mov', { bytes: '' })];
      const id = await collectionWith(world, ...items);
      await exported(world, `/collection/${id}/export?${to('all')}`);
      const { path: root, remove } = await temporaryDirectory();
      onTestFinished(remove);
      for (const [path, { bytes }] of world.to.files) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), bytes);
      }
      const validate = 'import bagit, sys; bagit.Bag(sys.argv[1]).validate(); print(bagit.Bag(sys.argv[1]).version)';
      const valid = python(validate, join(root, 'all'));
      expect([valid.stderr, valid.stdout]).toEqual(['', '1.0\n']);
      await writeFile(join(root, 'all', 'metadata', `${items[0]}.xml`), 'other');
      expect(python(validate, join(root, 'all')).stderr).toContain('BagValidationError');
    },
  );
});
