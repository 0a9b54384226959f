import type { StorageAbilities, StoredFile } from '../../../../spi/index.ts';
import { broken, type Promises, quoteText, showValue } from '../../result.ts';
import { collectBytes, equalBytes, mebibyte, someBytes } from '../bytes.ts';
import { type Files, kindThrownBy, put, refuses, type StorageTrial, within } from './subject.ts';

const most = 4 * mebibyte;

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

    'gives a large file in pieces': withFile(largest, async ({ driver }, { path }) => {
      const { body } = await driver.read(path);
      for await (const piece of body) {
        if (piece.byteLength > most) broken(`at most ${most} bytes at a time`, String(piece.byteLength));
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
