import type { Fault } from './fault.ts';

const folder = 'src/entry/native/file-storage';
const tests = 'test/entry/file-storage';

/** Faults of the driver that keeps files in folders of the machine. */
export const fileStorageFaults: readonly Fault[] = [
  {
    name: 'names that are looked up by the path of their folder',
    file: `${folder}/held-folder.ts`,
    find: 'here}/$',
    replace: 'path}/$',
    caughtBy: `${tests}/confinement.test.ts`,
  },
  {
    name: 'folders that may be links',
    file: `${folder}/place-folder.ts`,
    find: 'if (openFolder.isAt(below(real, parts)) ||',
    replace: 'if (true ||',
    caughtBy: `${tests}/confinement.test.ts`,
  },
  {
    name: 'a new file that is renamed over another one',
    file: `${folder}/publish.ts`,
    find: 'await disk.link(old, fresh);',
    replace: 'await disk.rename(old, fresh);',
    caughtBy: `${tests}/publish.test.ts`,
  },
  {
    name: 'a temporary name that goes before the path is there',
    file: `${folder}/publish.ts`,
    find: 'else await create(disk, from, to);',
    replace: 'else await create(disk, from, to).finally(() => disk.unlink(old));',
    caughtBy: `${tests}/publish.test.ts`,
  },
  {
    name: 'a part that forgets what waits when its sender breaks off',
    file: `${folder}/part-sink.ts`,
    find: 'await writer.flush();',
    replace: '',
    caughtBy: `${tests}/bytes.test.ts`,
  },
  {
    name: 'a file that stays open when its reader leaves early',
    file: `${folder}/read-body.ts`,
    find: 'if (dead || !piece) return await close();',
    replace: 'if (dead || !piece) return;',
    caughtBy: `${tests}/bytes.test.ts`,
  },
  {
    name: 'a file that closes while a piece of it is read ahead',
    file: `${folder}/read-body.ts`,
    find: 'await ahead?.catch(() => undefined);',
    replace: '',
    caughtBy: `${tests}/read-ahead.test.ts`,
  },
  {
    name: 'a short range of a file that was written meanwhile',
    file: `${folder}/read-body.ts`,
    find: 'if (isGone || versionOf(seen) !== version || filled',
    replace: 'if (isGone || filled',
    caughtBy: `${tests}/read-ahead.test.ts`,
  },
  {
    name: 'a short range of a file that has lost its name',
    file: `${folder}/read-body.ts`,
    find: 'const isGone = wasKept && seen.nlink === 0;',
    replace: 'const isGone = wasKept && seen.nlink < 0;',
    caughtBy: `${tests}/read-ahead.test.ts`,
  },
  {
    name: 'a piece ahead whose failure nobody takes care of',
    file: `${folder}/read-body.ts`,
    find: 'ahead.catch(() => undefined);',
    replace: '',
    caughtBy: `${tests}/read-ahead.test.ts`,
  },
  {
    name: 'memory that the next reader gets before it is sent',
    file: 'src/entry/piece-pool.ts',
    find: 'return super.write(chunk, (error) => {',
    replace: 'giveBack(chunk as Buffer);\n    return super.write(chunk, (error) => {',
    caughtBy: 'test/entry/piece-pool.test.ts',
  },
  {
    name: 'bytes of a request that stay once they are written',
    file: `${folder}/file-writer.ts`,
    find: 'freePieces(all);',
    replace: '',
    caughtBy: 'test/entry/piece-pool.test.ts',
  },
  {
    name: 'an empty mount point that passes for an empty storage',
    file: `${folder}/driver.ts`,
    find: 'await place.guard?.();\n        return threads.page',
    replace: 'return threads.page',
    caughtBy: `${tests}/listing.test.ts`,
  },
  {
    name: 'a hash on a thread of bytes that changed while they were read',
    file: `${folder}/hash-files.ts`,
    find: 'versionOf(after) !== versionOf(seen)',
    replace: 'false',
    caughtBy: `${tests}/hashing.test.ts`,
  },
  {
    name: 'names of folders in the order of names',
    file: `${folder}/walk.ts`,
    find: 'plain ? keys.sort() :',
    replace: "plain ? keys.sort((one, other) => (one.replace('/', '') < other.replace('/', '') ? -1 : 1)) :",
    caughtBy: `${tests}/listing.test.ts`,
  },
];
