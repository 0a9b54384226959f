import { expect, it, onTestFinished } from 'vitest';
import { startOfTime } from '../../../support/clock.ts';
import { type Instance, type Said, startInstance } from '../../../support/instance.ts';
import { openMailServer } from '../../../support/mail-server.ts';
import { temporaryDirectory } from '../../../support/store.ts';
import type { Order, Report } from './mail-child.ts';

it('a server of mail has a message when its sender is killed: the next one brings the same id, and then nothing', {
  timeout: 120_000,
}, async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const complaints: string[] = [];
  let first: Instance<Order, Report | Said> | undefined;
  const server = await openMailServer({
    // The whole message is there. Its sender hears nothing of that any more, and records nothing.
    async taken() {
      await first?.kill();
      first = undefined;
      return undefined;
    },
  });
  const start = (name: string, begin: number) =>
    startInstance<Order, Report>(
      new URL('./mail-child.ts', import.meta.url),
      name,
      [path, String(server.port), String(begin)],
      complaints,
    );
  const killed = await start('first', startOfTime);
  first = killed;
  killed.order({ kind: 'mention' });
  await killed.until('mentioned');
  killed.order({ kind: 'deliver' });
  await expect(killed.until('delivered')).rejects.toThrow('first ended with SIGKILL');
  expect(server.received).toHaveLength(1);
  const second = await start('second', startOfTime + 3_600_000);
  for (let times = 0; times < 2; times++) {
    second.order({ kind: 'deliver' });
    expect((await second.until('delivered')).left).toBe(0);
  }
  const ids = server.received.map(({ to, headers, text }) => [String(to), headers.get('message-id'), text]);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(complaints).toEqual([]);
});
