import { describe, expect, test } from 'vitest';
import type { Committing, Statement } from '../../../src/core/store/contract.ts';
import { committed, type Settled } from '../../../src/core/store/local/executor.ts';
import { GroupCommitter, type GroupSettings } from '../../../src/core/store/local/group-committer.ts';

/** A port that runs a group when the test says so. */
function heldPort() {
  const groups: { readonly size: number; settle(settled?: Settled[]): void; fail(error: unknown): void }[] = [];
  const runGroup = (transactions: readonly (readonly Statement[])[]) =>
    new Promise<Settled[]>((resolve, reject) => {
      const size = transactions.length;
      groups.push({ size, settle: (settled) => resolve(settled ?? Array(size).fill(committed)), fail: reject });
    });
  return { groups, runGroup };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const committer = (settings: GroupSettings) => {
  const port = heldPort();
  return { port, writer: new GroupCommitter(port, settings) };
};
const writeMany = (writer: GroupCommitter, count: number) => Array.from({ length: count }, () => writer.write([]));

describe('the group committer', () => {
  test('sends what came together together, and what comes meanwhile as the next group', async () => {
    const { port, writer } = committer({});
    const first = writeMany(writer, 3);
    await turn();
    const second = writeMany(writer, 5);
    await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([3]);
    port.groups[0]!.settle();
    await Promise.all(first);
    await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([3, 5]);
    port.groups[1]!.settle();
    await Promise.all(second);
    expect(writer.depth).toBe(0);
  });

  test('caps the group', async () => {
    const { port, writer } = committer({ groupLimit: 10 });
    const all = writeMany(writer, 25);
    for (let group = 0; group < 3; group++) {
      await turn();
      port.groups[group]!.settle();
    }
    await Promise.all(all);
    expect(port.groups.map(({ size }) => size)).toEqual([10, 10, 5]);
  });

  test('beyond the queue callers hear "busy" at once, and those inside are served', async () => {
    const { port, writer } = committer({ queueLimit: 4, groupLimit: 2 });
    const inside = writeMany(writer, 4);
    await expect(writer.write([])).rejects.toMatchObject({ code: 'busy', headers: { 'Retry-After': '1' } });
    for (let group = 0; group < 2; group++) {
      await turn();
      port.groups[group]!.settle();
    }
    await expect(Promise.all(inside)).resolves.toHaveLength(4);
  });

  test('a failing group rejects its members only', async () => {
    const { port, writer } = committer({});
    const [first] = writeMany(writer, 1);
    await turn();
    const [second] = writeMany(writer, 1);
    port.groups[0]!.fail(new Error('disk on fire'));
    await expect(first).rejects.toMatchObject({ code: 'store-unavailable', detail: { explanation: 'disk on fire' } });
    await turn();
    port.groups[1]!.settle();
    await expect(second).resolves.toEqual(committed);
  });

  test('a port that forgets a member does not leave it waiting', async () => {
    const { port, writer } = committer({});
    const [first, second] = writeMany(writer, 2);
    await turn();
    port.groups[0]!.settle([committed]);
    await expect(first).resolves.toEqual(committed);
    await expect(second).rejects.toMatchObject({ code: 'store-unavailable' });
  });

  test('two groups may be on their way, sharing the work', async () => {
    const { port, writer } = committer({ groupsAhead: 2 });
    const all = writeMany(writer, 160);
    await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([80, 80]);
    for (const group of port.groups) group.settle();
    await Promise.all(all);
  });

  test('few transactions wait for the group under way, many do not', async () => {
    const { port, writer } = committer({ groupsAhead: 2 });
    const all = writeMany(writer, 1);
    await turn();
    all.push(...writeMany(writer, 63));
    await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([1]);
    all.push(...writeMany(writer, 1));
    await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([1, 64]);
    all.push(...writeMany(writer, 2));
    await turn();
    expect(port.groups).toHaveLength(2);
    port.groups[0]!.settle();
    await turn();
    expect(port.groups).toHaveLength(2);
    port.groups[1]!.settle();
    await turn();
    port.groups[2]!.settle();
    await Promise.all(all);
    expect(port.groups.map(({ size }) => size)).toEqual([1, 64, 2]);
  });

  test('sixteen with work do not wait for the group under way, and their work is made behind that of the first', async () => {
    const { port, writer } = committer({ groupsAhead: 2 });
    const steps: string[] = [];
    const work = async (commits: readonly unknown[]) => {
      steps.push(`begins ${commits.length}, ${port.groups.length} sent`);
      await turn();
      steps.push('ends');
      return [];
    };
    const write = (count: number) =>
      Array.from({ length: count }, () => writer.write([], { commit: {} as Committing, works: [work] }));
    const all = write(1);
    await turn();
    all.push(...write(15));
    await turn();
    expect(steps).toEqual(['begins 1, 0 sent', 'ends']);
    all.push(...write(1));
    while (steps.length < 4) await turn();
    expect(port.groups.map(({ size }) => size)).toEqual([2, 17]);
    expect(steps.slice(2)).toEqual(['begins 16, 1 sent', 'ends']);
    for (const group of port.groups) group.settle();
    await Promise.all(all);

    steps.length = 0;
    const both = [...write(32)];
    while (steps.length < 4) await turn();
    expect(steps).toEqual(['begins 16, 2 sent', 'ends', 'begins 16, 3 sent', 'ends']);
    for (const group of port.groups.slice(2)) group.settle();
    await Promise.all(both);
  });

  test('works of one group that break together, at once and later, are told and end no process', async () => {
    const { port, writer } = committer({});
    const later = async () => {
      await turn();
      throw new Error('later');
    };
    const atOnce = () => {
      throw new Error('at once');
    };
    const write = writer.write([], { commit: {} as Committing, works: [later, atOnce] });
    await expect(write).rejects.toMatchObject({ detail: { explanation: 'at once' } });
    await turn();
    await turn();
    expect(port.groups).toEqual([]);
  });
});
