import type { Fault } from './fault.ts';

const folder = 'src/extensions/stylesheets/processor';

/** Faults that let stylesheets of users read addresses, or run without end. */
export const stylesheetFaults: readonly Fault[] = [
  {
    name: 'a stylesheet that reads addresses',
    file: `${folder}/functions/index.ts`,
    find: "if (uri === '' && reading.has(local) && !isItself) {",
    replace: "if (uri === '' && reading.has(local) && !isItself && local !== 'document') {",
    caughtBy: 'test/extensions/stylesheets/processor/hostile.test.ts',
  },
  {
    name: 'a stylesheet that fills the memory',
    file: `${folder}/budget.ts`,
    find: 'if (this.#made > maxMade) {',
    replace: 'if (this.#made > 100 * maxMade) {',
    caughtBy: 'test/extensions/stylesheets/processor/hostile.test.ts',
  },
  {
    name: 'a template of a lower priority that wins',
    file: `${folder}/xslt/read-sheet.ts`,
    find: 'b.rule.priority - a.rule.priority',
    replace: 'a.rule.priority - b.rule.priority',
    caughtBy: 'test/extensions/stylesheets/processor/instructions.test.ts',
  },
  {
    name: 'a projection that makes metadata of anything',
    file: 'src/extensions/stylesheets/projections.ts',
    find: "if (root !== 'MetadataDocument') {",
    replace: 'if (root === undefined) {',
    caughtBy: 'test/extensions/stylesheets/projections/projections.test.ts',
  },
  {
    name: 'a page of a projection that a browser shows',
    file: 'src/assets/metadata/projections.ts',
    find: "html: 'application/octet-stream'",
    replace: "html: 'text/html'",
    caughtBy: 'test/extensions/stylesheets/projections/projections.test.ts',
  },
];
