import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planUpgrade } from '../../../src/administration/operations/upgrade-plan.ts';
import { addedSteps, releaseRows, releases } from '../../../src/administration/operations/upgrade-releases.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { playScenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const plan = (from: string, to: string) =>
  planUpgrade(from, to).step.map(({ task, release, of }) => [task, release, ...of].join(' '));

describe('the plan of an upgrade', () => {
  it('has every pair of the notes, and no other', () => {
    expect(releaseRows.map(({ from, to }) => `${from} to ${to}`)).toEqual([
      ...['4.0 to 4.1', '4.1 to 4.2', '4.3 to 4.4', '4.4 to 4.5', '4.5 to 4.6', '4.6 to 4.7', '4.8 to 4.9'],
      ...['4.11 to 4.12', '4.13 to 4.14', '4.14 to 4.15', '4.16 to 4.17', '4.17 to 5.0', '5.0 to 5.1'],
      ...['5.1 to 5.2', '5.2 to 5.3', '5.3 to 5.4', '5.4 to 5.5', '22.1 to 22.2', '22.3 to 22.4', '22.4 to 23.1'],
      ...['23.1 to 23.2', '23.2 to 23.3', '23.3 to 23.4', '23.4 to 24.1'],
    ]);
    for (const { from, to } of releaseRows) expect(releases.indexOf(to)).toBe(releases.indexOf(from) + 1);
  });

  it.each([
    ['4.0', '4.1', ['check 4.1 file descriptors', 'migrate 4.1', 'read 4.1', 'read 4.1', 'read 4.1']],
    ['4.1', '4.2', ['migrate 4.2', 'reindex 4.2 item collection file', 'read 4.2']],
    ['4.2', '4.3', ['migrate 4.3', 'read 4.3']],
    ['4.3', '4.4', ['set 4.4 indexCollectionItemOrder', 'migrate 4.4', 'read 4.4', 'read 4.4']],
    ['4.13', '4.14', expect.arrayContaining(['initialise 4.14 _vxa_read job steps', 'reindex 4.14 acl'])],
    ['4.14', '4.15', ['migrate 4.15', 'read 4.15', 'read 4.15']],
    ['4.16', '4.17', ['migrate 4.17', 'initialise 4.17 metadata fields', 'read 4.17']],
    ['4.17', '5.0', ['migrate 5.0', 'initialise 5.0 roles', 'reindex 5.0 item collection file', 'read 5.0']],
    ['5.2', '5.3', ['check 5.3 external ids', 'migrate 5.3']],
    ['5.3', '5.4', ['migrate 5.4', 'read 5.4']],
    ['22.1', '22.2', ['migrate 22.2', 'reindex 22.2 item collection file']],
    ['22.4', '24.1', ['migrate 23.1', 'migrate 23.2', 'migrate 23.3', 'migrate 23.4', 'migrate 24.1', 'read 24.1']],
    ['4.17.3', '4.17', []],
    ['5.6', '21.1', ['migrate 21.1', 'read 21.1']],
    ['24.4', '25.1.3', ['migrate 25.1', 'read 25.1']],
    ['21.4.1', '22.1', ['migrate 22.1']],
    // No notes name these, but they were releases.
    ['3.3', '4.0', []],
    ['5.9', '21.1', ['migrate 21.1', 'read 21.1']],
    ['25.4', '26.2', []],
  ])('from %s to %s', (from, to, steps) => expect(plan(from, to)).toEqual(steps));

  it('names the migration of each major or minor step, and says something of each', () => {
    for (const [at, to] of releases.entries()) {
      const steps = at === 0 ? [] : planUpgrade(releases[at - 1]!, to).step;
      if (at > 0)
        expect([to, steps.map(({ command }) => command)]).toEqual([to, expect.arrayContaining(['portico migrate'])]);
    }
    expect(plan('4.0', releases.at(-1)!).filter((step) => step.startsWith('migrate')).length).toBeGreaterThanOrEqual(
      releases.length,
    );
  });

  it('names what the notes name: the call that removes duplicates, and platforms that are no longer supported', () => {
    const says = (from: string, to: string) =>
      planUpgrade(from, to)
        .step.map((step) => step.says)
        .join(' ');
    expect(says('5.2', '5.3')).toContain('DELETE /{entity type}/{entity id}/{external id}');
    expect(says('4.4', '4.5')).toContain('Java 7 and several older application servers');
    expect(says('4.2', '4.3')).toContain('no re-index');
    expect(says('4.1', '4.2')).not.toContain('no re-index');
  });

  it('names the numbers of new job steps before they are taken, and comes by 4.17 to 5.0', () => {
    const steps = plan('4.11', '5.0');
    expect(steps[0]).toBe('migrate 4.17');
    for (const [release, type, step] of addedSteps) expect(steps).toContain(`free ${release} ${type} ${step}`);
    expect(steps.findLastIndex((step) => step.startsWith('free'))).toBeLessThan(
      steps.findIndex((step) => step.startsWith('initialise')),
    );
  });

  it('says once how it is done here, with the last release that asks for it', () => {
    const { step } = planUpgrade('22.4', '24.1');
    expect(step.map(({ command }) => command)).toEqual([...Array(4).fill(undefined), 'portico migrate', undefined]);
  });

  it('names only calls and commands that there are', () => {
    const pages = readdirSync('docs/reference/api').map((name) => `docs/reference/api/${name}`);
    const reference = [...pages, 'docs/reference/commands.md'].map((path) => readFileSync(path, 'utf8')).join();
    const all = planUpgrade('4.0', '24.1').step.flatMap(({ command }) => command?.split(', ') ?? []);
    const made = all.map((command) =>
      command.replace(/\/API(?=\/)|(?<=reindex\/).*|(?<=properties\/).*/g, '').replace('portico ', ''),
    );
    for (const command of new Set(made.filter((each) => each !== 'ulimit -n'))) {
      expect([command, reference.includes(command.replace(/\/$/, ''))]).toEqual([command, true]);
    }
  });
});

describeMatrix('GET /upgrade-plan', (entry) => {
  const ask = (query: string, accept = 'application/json') => ({
    as: admin,
    request: `GET /API/upgrade-plan${query}`,
    headers: { accept },
  });

  it('is told as a document and as a table', async () => {
    const world = await entry.open();
    await playScenario(world, {
      name: 'document',
      ...ask('?from=4.16&to=4.17'),
      status: 200,
      says: {
        json: {
          from: '4.16',
          to: '4.17',
          step: [
            {
              task: 'migrate',
              release: '4.17',
              says: 'A major or minor upgrade migrates the database.',
              of: [],
              command: 'portico migrate',
            },
            {
              task: 'initialise',
              release: '4.17',
              says: 'Metadata fields for TTML are new.',
              of: ['metadata fields'],
              command: 'POST /APIinit',
            },
            {
              task: 'read',
              release: '4.17',
              says: 'The documents of the search index are unchanged: no re-index.',
              of: [],
            },
          ],
        },
      },
    });
    await playScenario(world, {
      name: 'table',
      ...ask('?from=4.16&to=4.17', 'text/plain'),
      status: 200,
      says: { contains: ['migrate\t4.17\t', 'initialise\t4.17\tMetadata fields for TTML are new.\tPOST /APIinit\r\n'] },
    });
  });

  it.each([
    ['no release', '?from=4.16&to=banana', 'Expected a release'],
    ['a number without a point', '?from=4&to=5.0', 'Expected a release'],
    ['an older one', '?from=5.0&to=4.17', 'Expected a release after 5.0'],
    ['none', '?from=5.0', 'to'],
  ])('%s is refused', async (_what, query, says) => {
    const world = await entry.open();
    await playScenario(world, { name: 'refused', ...ask(query), status: 400, says: { contains: [says] } });
  });
});
