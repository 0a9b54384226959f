import { broken, type Promises, showValue } from '../result.ts';
import { collectBytes, equalBytes, mebibyte, someBytes, streamBody, stuckBody } from './bytes.ts';
import { type Files, kindThrownBy, refuses, type Writer, within } from './driver-trial.ts';

/** Parts as pairs of bounds, in an order that no sender has. */
function shuffled(size: number): readonly (readonly [from: number, end: number])[] {
  const bounds = [0, 1, Math.floor(size / 3), Math.floor(size / 2), size];
  return [2, 0, 3, 1].map((part) => [bounds[part]!, bounds[part + 1]!] as const);
}

async function expectWhole(driver: Writer, token: string, bytes: Uint8Array): Promise<void> {
  const file = await driver.publish(token, 'parts.mov', 'create');
  if (file.size !== bytes.byteLength) broken(`the size ${bytes.byteLength}`, showValue(file.size));
  const stored = await collectBytes((await driver.read('parts.mov')).body);
  if (!equalBytes(stored, bytes)) broken('the bytes of all parts', 'others');
}

export function partPromises({ inPlace, patience, largest }: Files): Promises {
  const size = Math.min(3 * mebibyte + 7, largest);
  return {
    ...inAnyOrder(inPlace, size),
    ...compared(inPlace, size),
    ...brokenOff(inPlace, size, patience),
    ...withTokens(inPlace, size),
  };
}

const inAnyOrder = (inPlace: Files['inPlace'], size: number): Promises => ({
  'puts parts in their places, in any order and at the same time': inPlace(async ({ driver }) => {
    const bytes = someBytes(size);
    const sink = await driver.openParts({ size });
    const parts = shuffled(size);
    const counts = await Promise.all(
      parts.map(([from, end]) => sink.write(from, streamBody(bytes.subarray(from, end)))),
    );
    const wanted = parts.map(([from, end]) => end - from);
    if (String(counts) !== String(wanted)) broken(`the counts ${wanted}`, String(counts));
    await sink.sync();
    await sink.close();
    await expectWhole(driver, sink.token, bytes);
  }),
});

const compared = (inPlace: Files['inPlace'], size: number): Promises => ({
  'gives back bytes of parts as they are staged, where it can': inPlace(async ({ driver }) => {
    const bytes = someBytes(size);
    const half = Math.floor(size / 2);
    const first = await driver.openParts({ size });
    await first.write(half, streamBody(bytes.subarray(half)));
    await first.close();
    const sink = await driver.openParts({ size, token: first.token });
    await sink.write(0, streamBody(bytes.subarray(0, half)));
    for (const [from, end] of [
      [0, size],
      [half - 1, half + 1],
      [half, half],
    ] as const) {
      const piece = sink.read ? await collectBytes(sink.read({ from, end })) : bytes.subarray(from, end);
      if (!equalBytes(piece, bytes.subarray(from, end))) broken(`the bytes from ${from} to ${end}`, 'others');
    }
    await sink.close();
    await expectWhole(driver, sink.token, bytes);
  }),
});

const brokenOff = (inPlace: Files['inPlace'], size: number, patience: number): Promises => ({
  'counts what came of a part that breaks off': inPlace(async ({ driver }) => {
    const bytes = someBytes(size);
    const sink = await driver.openParts({ size });
    const half = Math.floor(size / 2);
    const abort = new AbortController();
    const breaks = [
      () => sink.write(0, streamBody(bytes.subarray(0, half), new Error('The sender went away'))),
      () => sink.write(0, stuckBody(bytes.subarray(0, 70_000)), abort.signal),
      () => sink.write(0, stuckBody(bytes.subarray(0, 70_000)), AbortSignal.abort()),
    ];
    let count = 0;
    for (const begin of breaks) {
      const writing = begin();
      await new Promise((resolve) => setTimeout(resolve, 20));
      abort.abort();
      const written = await within(patience, 'a part that breaks off', writing);
      if (!(Number.isSafeInteger(written) && written >= 0 && written <= half))
        broken(`a count of at most ${half}`, showValue(written));
      count = Math.max(count, written);
    }
    await sink.write(count, streamBody(bytes.subarray(count)));
    await sink.sync();
    await sink.close();
    await expectWhole(driver, sink.token, bytes);
  }),

  'refuses bytes beyond the size of a file in parts': inPlace(async ({ driver }) => {
    const sink = await driver.openParts({ size: 10 });
    for (const [offset, length] of [
      [0, 11],
      [9, 2],
      [11, 1],
      [-1, 1],
    ] as const) {
      await refuses('range', `${length} bytes at ${offset} of 10`, () =>
        within(patience, 'a part beyond the size', sink.write(offset, streamBody(someBytes(length)))),
      );
    }
    await sink.write(0, streamBody(someBytes(10)));
    await sink.sync();
    await sink.close();
    await expectWhole(driver, sink.token, someBytes(10));
  }),
});

const withTokens = (inPlace: Files['inPlace'], size: number): Promises => ({
  'goes on with parts after a restart': inPlace(async ({ driver, again }) => {
    const bytes = someBytes(size);
    const first = await driver.openParts({ size });
    const half = Math.floor(size / 2);
    await first.write(half, streamBody(bytes.subarray(half)));
    await first.sync();
    await first.close();
    const later = await again();
    const staged = await later.staged();
    if (!staged.some(({ token }) => token === first.token)) broken(`the token ${first.token}`, showValue(staged));
    const second = await later.openParts({ size, token: first.token });
    if (second.token !== first.token) broken(`the token ${first.token}`, second.token);
    await second.write(0, streamBody(bytes.subarray(0, half)));
    await second.sync();
    await second.close();
    await expectWhole(later, first.token, bytes);
  }),

  'goes on with no token that it has not given': inPlace(async ({ driver }) => {
    const sink = await driver.openParts({ size: 10 });
    await sink.close();
    await driver.discard(sink.token);
    for (const token of [sink.token, 'unknown', '../a.mov']) {
      const kind = await kindThrownBy(() => driver.openParts({ size: 10, token }));
      if (kind !== 'not-found') broken('the kind not-found: holes would pass for bytes', kind);
    }
  }),
});
