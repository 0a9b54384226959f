import type { Fault } from './fault.ts';

const texts = 'test/security/unstorable-texts.test.ts';
const writer = 'src/core/store/batch-writer.ts';
const imports = 'test/extensions/review/imports.test.ts';

/** Faults of texts that are long, deep, or that no database keeps. */
export const hostileTextFaults: readonly Fault[] = [
  {
    name: 'JSON without a description whose values nobody counts',
    file: 'src/core/documents/plain-json.ts',
    find: "if (excess) throw refusal('body', excess, 'more');",
    replace: '',
    caughtBy: imports,
  },
  {
    name: 'an annotation of a page that is as long as the page',
    file: 'src/extensions/review/web-annotation.ts',
    find: 'if (size > mostBytes) throw',
    replace: 'if (size < 0) throw',
    caughtBy: imports,
  },
  {
    name: 'a text of a document that no database keeps',
    file: 'src/core/documents/scan-json.ts',
    find: 'const part = path && unstorablePart(text);',
    replace: 'const part = undefined;',
    caughtBy: texts,
  },
  {
    name: 'a parameter with NUL',
    file: 'src/security/path.ts',
    find: '/\\0/.test(name + value)',
    replace: 'name === value',
    caughtBy: texts,
  },
  {
    name: 'one entry that takes a whole batch with it',
    file: writer,
    find: 'const halves = isOfEntry(error) ? gathered.halves(part) : undefined;',
    replace: 'const halves = undefined as readonly [B, B] | undefined;',
    caughtBy: 'test/core/store/batch-writer.test.ts',
  },
  {
    name: 'one entry that keeps its batch from being written',
    file: writer,
    find: "error instanceof ServiceError && (error.code === 'bad-value' || error.code === 'internal');",
    replace: 'error instanceof RangeError && error.message === ServiceError.name;',
    caughtBy: 'test/core/store/batch-writer.test.ts',
  },
  {
    name: 'a path of the audit log that is cut within a pair',
    file: 'src/administration/audit/gathered.ts',
    find: 'path: storable(given.path, longest)',
    replace: 'path: given.path.slice(0, longest)',
    caughtBy: texts,
  },
];
