import type { StorageAbilities, StoredFile } from '../../../spi/index.ts';
import { broken, type Promises, quoteText, showValue } from '../result.ts';
import { collectBytes, comparePaths, equalBytes, mebibyte, someBytes } from './bytes.ts';
import {
  type Files,
  kindThrownBy,
  listFiles,
  put,
  refuses,
  type StorageTrial,
  type Writer,
  within,
} from './driver-trial.ts';

const max = 4 * mebibyte;

export function readPromises(
  { withFile, inPlace, subject, patience, largest }: Files,
  can: StorageAbilities,
): Promises {
  return {
    ...(!can.write && {
      'gives back the bytes that it holds': inPlace(async ({ driver }) => {
        for (const [path, content] of Object.entries(subject.holds ?? {})) {
          const file = await driver.stat(path);
          if (file === undefined) broken(`a file at ${quoteText(path)}`, 'none');
          checkFile(file, path);
          const wanted = typeof content === 'string' ? new TextEncoder().encode(content) : content;
          const { file: readFile, body } = await driver.read(path);
          checkFile(readFile, path);
          const bytes = await within(patience, 'a read', collectBytes(body));
          if (!equalBytes(bytes, wanted)) broken(`the ${wanted.byteLength} bytes of ${quoteText(path)}`, 'others');
          if (file.size !== wanted.byteLength) broken(`the size ${wanted.byteLength}`, showValue(file.size));
        }
      }),
    }),

    'gives the range that it is asked for, and nothing beyond': withFile(
      3 * mebibyte + 5,
      async ({ driver }, { path, bytes }) => {
        const size = bytes.byteLength;
        const middle = Math.floor(size / 2);
        const ranges = [
          [0, Math.min(10, size)],
          [middle, Math.min(size, middle + mebibyte + 3)],
          [size - 1, size],
          [0, size],
          [middle, middle],
        ] as const;
        for (const [from, end] of ranges) {
          const { file, body } = await driver.read(path, { range: { from, end } });
          const slice = await within(patience, 'a read of a range', collectBytes(body));
          if (!equalBytes(slice, bytes.subarray(from, end)))
            broken(`the bytes from ${from} up to ${end}`, `${slice.byteLength} bytes that are not these`);
          if (file.size !== size) broken(`the size of the whole file, ${size}`, showValue(file.size));
        }
      },
    ),

    'refuses a range that lies outside of the file': withFile(1000, async ({ driver }, { path, bytes }) => {
      const size = bytes.byteLength;
      for (const [from, end] of [
        [0, size + 1],
        [size + 1, size + 2],
        [5, 4],
        [-1, 4],
      ] as const) {
        await refuses('range', `bytes from ${from} up to ${end} of ${size}`, () =>
          driver.read(path, { range: { from, end } }),
        );
      }
    }),

    'refuses another version than the one that was asked for': withFile(1000, async ({ driver }, { path }) => {
      const file = await driver.stat(path);
      const { body } = await driver.read(path, { version: file!.version });
      await body.cancel();
      await refuses('changed', 'a read of another version', () => driver.read(path, { version: 'another version' }));
    }),

    'gives a short range at once, of one version, if it can': withFile(1000, async ({ driver }, { path, bytes }) => {
      if (!driver.readPiece) return;
      const { version } = (await driver.stat(path))!;
      for (const [from, end] of [
        [0, 10],
        [990, 1000],
        [0, 1000],
      ] as const) {
        const piece = await within(patience, 'a piece', driver.readPiece(path, { range: { from, end }, version }));
        if (!equalBytes(piece, bytes.subarray(from, end)))
          broken(`the bytes from ${from} up to ${end}`, `${piece.byteLength} bytes that are not these`);
      }
      const range = { from: 0, end: 10 };
      await refuses('changed', 'a piece of another version', () =>
        driver.readPiece!(path, { range, version: 'another' }),
      );
      await refuses('not-found', 'a piece of no file', () => driver.readPiece!('none.mov', { range, version }));
    }),

    'hashes whole files in the order of their paths, if it can': withFile(1000, async ({ driver }, { path, bytes }) => {
      if (!driver.hash) return;
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const answers = driver.hash(['none.mov', path], { algorithms: ['SHA-256'] });
      const [none, hashed] = await within(patience, 'hashes', answers);
      if (!none || !('kind' in none) || none.kind !== 'not-found') broken('"not-found" of no file', showValue(none));
      if (!hashed || !('file' in hashed)) return broken(`hashes of ${quoteText(path)}`, showValue(hashed));
      const { version } = (await driver.stat(path))!;
      if (hashed.file.version !== version) broken(`the version ${version}`, showValue(hashed.file.version));
      const wanted = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (hashed.hashes['SHA-256'] !== wanted) broken(`the SHA-256 ${wanted}`, showValue(hashed.hashes['SHA-256']));
    }),

    'gives a large file in pieces': withFile(largest, async ({ driver }, { path }) => {
      const { body } = await driver.read(path);
      for await (const piece of body) {
        if (piece.byteLength > max) broken(`at most ${max} bytes at a time`, String(piece.byteLength));
      }
    }),

    'ends a read when its signal is aborted': withFile(largest, async ({ driver }, { path }) => {
      const abort = new AbortController();
      const { body } = await driver.read(path, { signal: abort.signal });
      const reader = body.getReader();
      await reader.read();
      abort.abort();
      const rest = async () => {
        for (;;) if ((await reader.read()).done) return;
      };
      // Data received before the abort may still be returned.
      const kind = await within(patience, 'a read that was aborted', kindThrownBy(rest));
      if (!['aborted', 'no error'].includes(kind)) broken('the kind aborted', kind);
      const early = await kindThrownBy(async () =>
        collectBytes((await driver.read(path, { signal: abort.signal })).body),
      );
      if (early !== 'aborted') broken('the kind aborted of a read whose signal is aborted already', early);
    }),

    ...(subject.openHandles && {
      'holds nothing open for readers who left': withFile(3 * mebibyte, async ({ driver }, { path }) => {
        const before = await subject.openHandles!();
        for (let reader = 0; reader < 60; reader++) await leave(reader, driver, path);
        const after = await settled(subject.openHandles!, before, patience);
        if (after > before) broken(`${before} open after 60 readers who left`, String(after));
      }),
    }),
    ...(can.write && whileReplaced({ inPlace, patience, largest })),
  };
}

/** A reader leaves before the first byte is asked for, while it is on its way, or after it. */
async function leave(number: number, driver: StorageTrial['driver'], path: string): Promise<void> {
  const abort = new AbortController();
  const { body } = await driver.read(path, { signal: abort.signal });
  const way = number % 5;
  if (way === 0) return body.cancel();
  const reader = body.getReader();
  const first = reader.read().catch(() => undefined);
  if (way === 1 || way === 2) await first;
  if (way === 2 || way === 3) abort.abort();
  await reader.cancel().catch(() => undefined);
  await first;
}

async function settled(count: () => Promise<number> | number, wanted: number, patience: number): Promise<number> {
  const end = Date.now() + patience;
  let openCount = await count();
  while (openCount > wanted && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    openCount = await count();
  }
  return openCount;
}

const whileReplaced = ({ inPlace, patience, largest }: Pick<Files, 'inPlace' | 'patience' | 'largest'>): Promises => ({
  'gives a reader the old bytes or "changed", never a mix': inPlace(async ({ driver }) => {
    const [old, fresh] = [1, 2].map((seed) => someBytes(Math.min(6 * mebibyte, largest), seed)) as [
      Uint8Array,
      Uint8Array,
    ];
    for (const started of [true, false]) {
      await put(driver, 'a.mov', old, 'replace');
      const { body } = await driver.read('a.mov');
      const pieces: Uint8Array[] = [];
      const reader = body.getReader();
      const next = async () => {
        const { done, value } = await reader.read();
        if (value) pieces.push(value);
        return !done;
      };
      const rest = async () => {
        while (await next());
      };
      if (started) await next();
      await put(driver, 'a.mov', fresh, 'replace');
      const kind = await within(patience, 'a read', kindThrownBy(rest));
      const received = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
      const whole = kind === 'no error' ? equalBytes(received, old) : kind === 'changed';
      if (!whole || !equalBytes(received, old.subarray(0, received.byteLength)))
        broken('the old bytes, or the kind changed', kind === 'no error' ? 'other bytes' : kind);
    }
  }),
});

/** Checks the properties of a stored file. */
export function checkFile(file: StoredFile, path: string): void {
  if (file.path !== path) broken(`the path ${quoteText(path)}`, showValue(file.path));
  if (!(Number.isSafeInteger(file.size) && file.size >= 0))
    broken('a whole number of bytes as size', showValue(file.size));
  if (typeof file.version !== 'string' || file.version === '') broken('a text as version', showValue(file.version));
  const { modified, identity } = file;
  if (modified !== undefined && !Number.isSafeInteger(modified))
    broken('whole microseconds as modified, or nothing', showValue(modified));
  if (identity !== undefined && (typeof identity !== 'string' || identity === ''))
    broken('a text as identity, or nothing', showValue(identity));
}

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
