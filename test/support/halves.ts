import type { RunnerTestSuite as Suite, RunnerTestCase as Test } from 'vitest';

type Collector = { collect(file: never): Promise<Suite> };

/**
 * Of two suites with the same tests, each keeps every second one. A test that only one of them has stays. `mayShare` is
 * asked when both have told their tests.
 */
export function shareTests(one: object, other: object, mayShare: () => boolean): void {
  const collected: Suite[] = [];
  for (const collector of [one, other] as Collector[]) {
    const collect = collector.collect.bind(collector);
    collector.collect = async (file) => {
      const suite = await collect(file);
      collected.push(suite);
      if (collected.length === 2 && mayShare()) share(collected[0]!, collected[1]!);
      return suite;
    };
  }
}

function share(one: Suite, other: Suite): void {
  const theirs = testsOf(other);
  let shared = 0;
  const dropped = new Set<Test>();
  for (const [path, test] of testsOf(one)) {
    const twin = theirs.get(path);
    if (twin) dropped.add(shared++ % 2 === 0 ? twin : test);
  }
  for (const suite of [one, other]) keepWithout(suite, dropped);
}

/** By their names, and those of the suites around them. */
function testsOf(suite: Suite, path = '', found = new Map<string, Test>()): Map<string, Test> {
  for (const task of suite.tasks) {
    const own = `${path} > ${task.name}`;
    if (task.type === 'suite') testsOf(task, own, found);
    else {
      let number = 0;
      while (found.has(`${own} ${number}`)) number++;
      found.set(`${own} ${number}`, task);
    }
  }
  return found;
}

/** A suite that is left without tests is skipped: the runner takes it for a mistake. */
function keepWithout(suite: Suite, dropped: ReadonlySet<Test>): void {
  suite.tasks = suite.tasks.filter((task) => task.type === 'suite' || !dropped.has(task));
  for (const task of suite.tasks) if (task.type === 'suite') keepWithout(task, dropped);
  suite.tasks = suite.tasks.filter((task) => task.type !== 'suite' || task.tasks.length > 0);
  if (suite.tasks.length === 0) suite.mode = 'skip';
}
