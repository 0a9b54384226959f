import type { StorageAbilities } from '../../../spi/index.ts';
import { broken, type Promises, quoteText, showValue } from '../result.ts';
import { collectBytes, digestOf, equalBytes, mebibyte, someBytes, streamBody, stuckBody, toBytes } from './bytes.ts';
import { type Files, kindThrownBy, put, refuses, type Writer, within } from './driver-trial.ts';
import { checkFile } from './read-promises.ts';

/** Names that a storage can hold and that something on the way may read as something else. */
const oddNames = [
  ...['two words.mov', ' a blank in front', 'plus+and%41percent.mov', '%2e%2e', '#hash?query=1&b;c,d.mov', "it's.mov"],
  ...['!(a)*[b]{c}$.mov', '"quoted" <a> & b.mov', 'ü日本.mov', '\u{1f600}.mov', '.hidden', '~', '...', 'a.b.c', 'CON'],
  ...['\\', 'a\\b', 'a:b', '__proto__', `${'x'.repeat(251)}.mov`, 'e\u0301.mov'],
];

export function writePromises(files: Files, can: StorageAbilities): Promises {
  return { ...whole(files), ...unhappy(files), ...tokens(files), ...published(files, can) };
}

const bytesAt = async (driver: Writer, path: string) => collectBytes((await driver.read(path)).body);

async function expectBytes(driver: Writer, path: string, wanted: string | Uint8Array): Promise<void> {
  const stored = await bytesAt(driver, path);
  if (!equalBytes(stored, toBytes(wanted)))
    broken(`the ${toBytes(wanted).byteLength} bytes of ${quoteText(path)}`, `${stored.byteLength} others`);
}

/** Nothing that was not there before, neither a file nor a token. */
async function expectNothing(driver: Writer, path = 'a.mov'): Promise<void> {
  const tokens = await driver.staged();
  if (tokens.length > 0) broken('nothing staged', `${tokens.length} tokens`);
  const file = await driver.stat(path);
  if (file) broken(`no file at ${quoteText(path)}`, showValue(file));
}

const whole = ({ inPlace, largest, patience }: Files): Promises => ({
  'gives back the bytes of files of every size': inPlace(async ({ driver }) => {
    for (const size of new Set([0, 1, Math.min(mebibyte + 1, largest), largest])) {
      const bytes = someBytes(size, size + 1);
      const path = `sizes/${size}.mov`;
      const staged = await within(patience * 4, 'staging', driver.stage(streamBody(bytes), { size }));
      if (staged.size !== size) broken(`the size ${size}`, showValue(staged.size));
      const file = await driver.publish(staged.token, path, 'create');
      checkFile(file, path);
      const stored = await driver.stat(path);
      if (file.size !== size || stored?.size !== size || stored.version !== file.version)
        broken(showValue(file), showValue(stored));
      await expectBytes(driver, path, bytes);
    }
  }),

  'tells no wrong hash': inPlace(async ({ driver }) => {
    const bytes = someBytes(200_003);
    const { hashes } = await driver.stage(streamBody(bytes), { hashes: ['SHA-1', 'SHA-256'] });
    for (const algorithm of ['SHA-1', 'SHA-256'] as const) {
      const wanted = await digestOf(algorithm, bytes);
      if (![undefined, wanted].includes(hashes[algorithm]))
        broken(`${algorithm} ${wanted}`, showValue(hashes[algorithm]));
    }
    const { hashes: short } = await driver.stage(streamBody(toBytes('abc')), { hashes: ['MD5'] });
    const wanted = '900150983cd24fb0d6963f7d28e17f72';
    if (![undefined, wanted].includes(short.MD5)) broken(`MD5 ${wanted}`, showValue(short.MD5));
  }),

  'keeps odd names apart, or refuses them': inPlace(async ({ driver }) => {
    const keptPaths: string[] = [];
    for (const path of oddNames.flatMap((name) => [name, `in ${name}/${name}`])) {
      const kind = await kindThrownBy(() => put(driver, path, path));
      if (kind === 'no error') keptPaths.push(path);
      else if (kind !== 'bad-path') broken(`a file at ${quoteText(path)}, or the kind bad-path`, kind);
    }
    for (const path of keptPaths) {
      const file = await driver.stat(path);
      if (!file) return broken(`a file at ${quoteText(path)}`, 'none');
      checkFile(file, path);
      await expectBytes(driver, path, path);
    }
  }),

  'removes a file once': inPlace(async ({ driver }) => {
    await put(driver, 'in/a.mov', 'a');
    await put(driver, 'in/b.mov', 'b');
    const [first, second] = [await driver.remove('in/a.mov'), await driver.remove('in/a.mov')];
    if (first !== true || second !== false)
      broken('true, then false', `${showValue(first)}, then ${showValue(second)}`);
    await expectNothing(driver, 'in/a.mov');
    await expectBytes(driver, 'in/b.mov', 'b');
  }),
});

const unhappy = ({ inPlace, patience }: Files): Promises => ({
  'takes no other number of bytes than announced': inPlace(async ({ driver }) => {
    for (const size of [2, 4]) {
      await refuses('failed', `three bytes instead of ${size}`, () =>
        driver.stage(streamBody(toBytes('abc')), { size }),
      );
    }
    await expectNothing(driver);
  }),

  'leaves nothing of a body that breaks, and passes on why': inPlace(async ({ driver }) => {
    const why = new Error('The sender went away');
    const outcome = await within(
      patience,
      'a body that breaks',
      driver.stage(streamBody(someBytes(200_007), why)).then(
        () => 'no error',
        (error: unknown) => error,
      ),
    );
    if (outcome !== why) broken('the error of the body', showValue(String(outcome)));
    await expectNothing(driver);
  }),

  'ends a write when its signal is aborted': inPlace(async ({ driver }) => {
    const abort = new AbortController();
    const staging = kindThrownBy(() => driver.stage(stuckBody(someBytes(70_000)), { signal: abort.signal }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    const late = await within(patience, 'a write that was aborted', staging);
    const early = await within(
      patience,
      'a write whose signal is aborted already',
      kindThrownBy(() => driver.stage(stuckBody(someBytes(1)), { signal: abort.signal })),
    );
    for (const kind of [late, early]) if (kind !== 'aborted') broken('the kind aborted', kind);
    await expectNothing(driver);
  }),
});

const tokens = ({ inPlace }: Files): Promises => ({
  'shows nothing of what is staged until it is published': inPlace(async ({ driver }) => {
    const { token } = await driver.stage(streamBody(toBytes('abc')));
    const before = await driver.stat('a.mov');
    if (before) broken('no file before it is published', showValue(before));
    const staged = await driver.staged();
    if (staged.length !== 1 || staged[0]!.token !== token) broken(`the token ${quoteText(token)}`, showValue(staged));
    if (!Number.isFinite(staged[0]!.at)) broken('a time in milliseconds', showValue(staged[0]!.at));
    await driver.publish(token, 'a.mov', 'create');
    const after = await driver.staged();
    if (after.length > 0) broken('nothing staged any more', showValue(after));
  }),

  'keeps what is staged over a restart': inPlace(async ({ driver, again }) => {
    const { token } = await driver.stage(streamBody(toBytes('abc')));
    const later = await again();
    const staged = await later.staged();
    if (!staged.some((each) => each.token === token)) broken(`the token ${quoteText(token)}`, showValue(staged));
    await later.publish(token, 'a.mov', 'create');
    await expectBytes(later, 'a.mov', 'abc');
  }),

  'forgets what is discarded, and minds no unknown token': inPlace(async ({ driver }) => {
    const { token } = await driver.stage(streamBody(toBytes('abc')));
    for (const each of [token, token, 'unknown', '../a.mov', '']) await driver.discard(each);
    await expectNothing(driver);
    for (const each of [token, 'unknown', '../a.mov']) {
      await refuses('not-found', `publishing ${quoteText(each)}`, () => driver.publish(each, 'a.mov', 'create'));
    }
    await expectNothing(driver);
  }),
});

const published = ({ inPlace }: Files, { createOnly }: StorageAbilities): Promises => ({
  'keeps the file that has the path, and what was staged for it': inPlace(async ({ driver }) => {
    await put(driver, 'a.mov', 'old');
    const { token } = await driver.stage(streamBody(toBytes('new')));
    await refuses('exists', 'creating a file where one is', () => driver.publish(token, 'a.mov', 'create'));
    await expectBytes(driver, 'a.mov', 'old');
    await driver.publish(token, 'b.mov', 'create');
    await expectBytes(driver, 'b.mov', 'new');
  }),

  ...(createOnly && {
    'lets one of two win that create the same file': inPlace(async ({ driver, again }) => {
      const other = await again();
      for (let round = 0; round < 10; round++) {
        const path = `${round}.mov`;
        const [one, two] = [
          await driver.stage(streamBody(toBytes('one'))),
          await other.stage(streamBody(toBytes('two'))),
        ];
        const kinds = await Promise.all([
          kindThrownBy(() => driver.publish(one.token, path, 'create')),
          kindThrownBy(() => other.publish(two.token, path, 'create')),
        ]);
        if ([...kinds].sort().join() !== 'exists,no error') broken('one file, and one error exists', kinds.join(', '));
        await expectBytes(driver, path, kinds[0] === 'no error' ? 'one' : 'two');
      }
    }),
  }),

  'gives another version after a replacement': inPlace(async ({ driver }) => {
    const first = await put(driver, 'a.mov', 'old');
    const second = await put(driver, 'a.mov', 'new', 'replace');
    if (first.version === second.version) broken('another version', showValue(second.version));
    await expectBytes(driver, 'a.mov', 'new');
    await refuses('changed', 'a read of the first version', () => driver.read('a.mov', { version: first.version }));
    await put(driver, 'b.mov', 'replaces nothing', 'replace');
    await expectBytes(driver, 'b.mov', 'replaces nothing');
  }),

  'gives the file when it is asked to publish it again': inPlace(async ({ driver, again }) => {
    for (const mode of ['create', 'replace'] as const) {
      const { token } = await driver.stage(streamBody(toBytes(mode)));
      const first = await driver.publish(token, 'a.mov', mode);
      const second = await (await again()).publish(token, 'a.mov', mode);
      if (second.version !== first.version) broken(showValue(first), showValue(second));
      await expectBytes(driver, 'a.mov', mode);
    }
  }),
});
