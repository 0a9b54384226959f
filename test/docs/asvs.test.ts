import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const asvs = await readFile('docs/security/asvs.md', 'utf8');
const security = await readFile('SECURITY.md', 'utf8');
const guarantees = await readFile('docs/security/guarantees.md', 'utf8');
const limits = await readFile('docs/security/limits.md', 'utf8');
const passwords = await readFile('docs/security/passwords-and-limits.md', 'utf8');

const files = String.raw`\`(?:test/[\w./-]+|npm run [\w:]+)\`(?:, \`(?:test/[\w./-]+|npm run [\w:]+)\`)*`;
const named = new RegExp(`^${files}$`);

describe('the limits of the protection', () => {
  const comment = new RegExp(`<!-- (?:${files}|no test: .+) -->$`);

  it('name in each entry the test that reaches it, or why there is none', () => {
    const entries = limits.split('\n').filter((line) => /^ *- /.test(line));
    const sections = passwords.trim().split('\n## ').slice(1);
    expect(sections).toHaveLength(3);
    expect([...entries, ...sections.map((text) => text.trim())].filter((text) => !comment.test(text))).toEqual([]);
  });
});

it('the last long runs name a command, seeds or floods, operations, time, day and result', () => {
  const section = guarantees.split('\n## ').find((text) => text.startsWith('Last long runs'))!;
  const runs = [...section.matchAll(/^\| (`npm .+) \|$/gm)].map(([, run]) => run!.split(' | '));
  const forms = [
    /^`npm run [\w:]+(?: -- [\w ,-]+)?`$/,
    /\w/,
    /^[\d,]+ (?:seeds|floods), [\d,]+ operations(?: at each place)?, [\d,.]+ (?:(?:CPU )?seconds|hours)$/,
    /^\d{4}-\d\d-\d\d$/,
    /^(?:holds|broken: .+)$/,
  ];
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.filter((run) => run.length !== forms.length || !forms.every((form, at) => form.test(run[at]!)))).toEqual(
    [],
  );
});

describe('the mapping to OWASP ASVS 5.0', () => {
  const rows = [...asvs.matchAll(/^\| (V\d+\.\d+) [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, section, state, says, tests]) => ({ section: section!, state: state!, says: says!, tests: tests! }),
  );
  // How many sections each chapter has, without those that ask for level 3 only.
  const sections = [5, 4, 7, 4, 4, 8, 6, 4, 2, 7, 7, 3, 4, 3, 4, 5, 3].flatMap((count, chapter) =>
    Array.from({ length: count }, (_, index) => `V${chapter + 1}.${index + 1}`),
  );
  const highest = new Set(['V3.1', 'V3.6', 'V6.7', 'V11.7', 'V15.4']);

  it('has each section of level 1 or 2 once, in order', () => {
    expect(rows.map(({ section }) => section)).toEqual(sections.filter((section) => !highest.has(section)));
  });

  it('says of each section a state, what the operator does, and the task where a part is missing', () => {
    const states = new Set(['met', 'operator', 'task', 'does not apply']);
    expect(rows.filter(({ state, says }) => !states.has(state) || !says.endsWith('.'))).toEqual([]);
    const operators = /operator|proxy/;
    expect(rows.filter(({ state, says }) => state === 'operator' && !operators.test(says))).toEqual([]);
    const tasks = [...asvs.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm)].map(([, task]) => task!);
    const wanted = rows.flatMap(({ state, says }) => {
      const task = / Task: `([a-z-]+)`\.$/.exec(says)?.[1];
      expect(task !== undefined, says).toBe(state === 'task');
      return task ?? [];
    });
    expect(new Set(wanted)).toEqual(new Set(tasks));
  });

  it('names a test for each section, and the page of guarantees one for each', () => {
    expect(rows.filter(({ tests }) => !named.test(tests))).toEqual([]);
    const table = guarantees.slice(0, guarantees.indexOf('\n## Last long runs'));
    const shown = [...table.matchAll(/^\| .+ \| ([^|]+) \|$/gm)].map(([, tests]) => tests!);
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.slice(1).filter((tests) => !named.test(tests))).toEqual([]);
    expect(security).toContain('](docs/security/asvs.md)');
  });
});
