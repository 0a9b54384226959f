import type { StorageAbilities } from '../../../../spi/index.ts';
import { broken, type Promises, quoteText, showValue } from '../../result.ts';
import { comparePaths } from '../bytes.ts';
import { checkFile } from './read-promises.ts';
import { type Files, listFiles, put, type StorageTrial, type Writer } from './subject.ts';

/** A folder comes where its name with "/" behind stands, and above U+FFFF two ways of comparing texts differ. */
const inFolders = [
  'a-b/x',
  'a/x',
  'a/b/c',
  'a.mov',
  'a0',
  'B1',
  'b2',
  'é',
  '\uff5e.mov',
  '\u{1f600}.mov',
  'z/1',
  'z/2',
];

export function listPromises({ inPlace, subject }: Files, can: StorageAbilities): Promises {
  /** The paths that a place has in the end. */
  async function filled({ driver }: StorageTrial): Promise<string[]> {
    if (!can.write) return Object.keys(subject.holds ?? {});
    for (const path of inFolders.toReversed()) await put(driver, path, path);
    return [...inFolders];
  }

  const inPages: Promises = {
    'lists in the order of UTF-8 bytes, the same on pages of every size': inPlace(async (trial) => {
      const paths = (await filled(trial)).sort(comparePaths);
      for (const limit of [1000, 3, 1]) {
        const listed = (await listFiles(trial.driver, limit)).map(({ path }) => path);
        if (shownPaths(listed) !== shownPaths(paths)) broken(shownPaths(paths), shownPaths(listed));
      }
    }),

    'lists what stat tells': inPlace(async (trial) => {
      await filled(trial);
      for (const file of await listFiles(trial.driver)) {
        checkFile(file, file.path);
        const stat = await trial.driver.stat(file.path);
        // A listing may leave out what only a look at the file tells.
        const { path, size, version } = file;
        if (stat?.size !== size || stat.version !== version)
          broken(`the size and the version of ${quoteText(path)} that stat tells, ${showValue(stat)}`, showValue(file));
      }
    }),

    'goes on behind any path, also after a restart': inPlace(async (trial) => {
      const paths = (await filled(trial)).sort(comparePaths);
      for (const after of [...paths, 'a', 'a/', 'a/b', '0', '\u{10ffff}']) {
        const wanted = shownPaths(paths.filter((path) => comparePaths(path, after) > 0));
        const listed = shownPaths((await listFiles(await trial.again(), 2, after)).map(({ path }) => path));
        if (listed !== wanted) broken(`behind ${quoteText(after)}: ${wanted}`, listed);
      }
    }),
  };
  return can.write ? { ...inPages, ...whileAdded(inPlace) } : inPages;
}

const whileAdded = (inPlace: Files['inPlace']): Promises => ({
  'lists each file once while others come and go': inPlace(async ({ driver }) => {
    const paths = Array.from({ length: 12 }, (_, index) => `in/${String(index).padStart(2, '0')}.mov`);
    for (const path of paths) await put(driver, path, path);
    const listed = await listedBetween(driver, 3, async (page) => {
      await put(driver, `in/${String(page * 2).padStart(2, '0')}-added.mov`, 'x');
      await put(driver, `added/${page}.mov`, 'x');
      if (page === 0) await driver.remove('in/11.mov');
    });
    const once = listed.filter((path) => paths.includes(path));
    const wanted = paths.slice(0, -1);
    if (shownPaths(once) !== shownPaths(wanted)) broken(shownPaths(wanted), shownPaths(once));
    const twice = listed.find((path, index) => listed.indexOf(path) !== index);
    if (twice !== undefined) broken('each path once', `${quoteText(twice)} twice`);
  }),

  'lists nothing of what is staged': inPlace(async ({ driver }) => {
    await put(driver, 'a.mov', 'a');
    await driver.stage(new Response('b').body!);
    const listed = (await listFiles(driver)).map(({ path }) => path);
    if (listed.length !== 1 || listed[0] !== 'a.mov') broken('"a.mov"', shownPaths(listed));
  }),
});

async function listedBetween(driver: Writer, limit: number, between: (page: number) => Promise<void>) {
  const paths: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 100; page++) {
    const { files, next } = await driver.list(after === undefined ? { limit } : { after, limit });
    paths.push(...files.map(({ path }) => path));
    if (next === undefined) break;
    after = next;
    await between(page);
  }
  return paths;
}

const shownPaths = (paths: readonly string[]): string =>
  paths.length === 0 ? 'nothing' : paths.map(quoteText).join(' ');
