import { expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import { type Batches, createBatchWriter, halvesOf } from '../../../src/core/store/batch-writer.ts';
import type { CommitPlan } from '../../../src/core/store/contract.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { testClock } from '../../support/clock.ts';

/** Entries in order. */
class Texts implements Batches<readonly string[]> {
  waiting: string[] = [];

  get size(): number {
    return this.waiting.length;
  }
  take() {
    const batch = this.waiting;
    this.waiting = [];
    return batch.length > 0 ? batch : undefined;
  }
  written(): void {}
  failed(batch: readonly string[]): void {
    this.waiting = [...batch, ...this.waiting];
  }
  halves = (batch: readonly string[]) => halvesOf(batch);
  changesOf = (batch: readonly string[]) => batch.map((text) => ({ sql: '', args: [text] }));
}

/** A store that refuses some texts, and is away from a commit on. */
function open(refuses: (text: string) => ServiceError | undefined, awayFrom = Number.POSITIVE_INFINITY) {
  const clock = testClock();
  const [written, lines]: [string[], object[]] = [[], []];
  let commits = 0;
  const commit = async ({ changes }: CommitPlan) => {
    if (++commits >= awayFrom) throw new ServiceError('store-unavailable');
    const texts = changes.map(({ args }) => String(args[0]));
    for (const text of texts) {
      const refusal = refuses(text);
      if (refusal) throw refusal;
    }
    written.push(...texts);
  };
  const gathered = new Texts();
  const writer = createBatchWriter({
    ...{ store: { commit } as unknown as Store, clock, gathered, sharesWork: true, failure: 'not-written', pause: 1 },
    log: { write: (_level: string, event: string, fields: object) => lines.push({ event, ...fields }) } as never,
  });
  onTestFinished(writer.close);
  return { writer, gathered, written, lines };
}

const isBad = (text: string) => (text.startsWith('bad') ? new ServiceError('bad-value') : undefined);

it.each(['bad-value', 'internal'] as const)(
  'an attack: an entry that is %s is dropped with a line of the log, and all others are written',
  async (code) => {
    const { writer, gathered, written, lines } = open((text) =>
      text.startsWith('bad') ? new ServiceError(code) : undefined,
    );
    const entries = Array.from({ length: 100 }, (_, at) => (at === 7 || at === 60 ? `bad ${at}` : `good ${at}`));
    gathered.waiting.push(...entries);
    await writer.flush();
    expect(written).toEqual(entries.filter((text) => !text.startsWith('bad')));
    expect(gathered.size).toBe(0);
    expect(lines).toMatchObject([{ event: 'not-written', dropped: 2 }]);
  },
);

it('entries wait in their order while the database is away, in the middle of the search for a bad one, too', async () => {
  const entries = ['good 1', 'good 2', 'bad 3', 'good 4', 'good 5'];
  for (let awayFrom = 1; awayFrom < 8; awayFrom++) {
    const { writer, gathered, written } = open(isBad, awayFrom);
    gathered.waiting.push(...entries);
    await writer.flush();
    const all = [...written, ...gathered.waiting];
    expect(all.filter((text) => text !== 'bad 3')).toEqual(entries.filter((text) => text !== 'bad 3'));
  }
});
